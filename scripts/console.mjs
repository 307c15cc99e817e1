// Bundles apps/console by Vite into one page, its style sheet and its scripts, and writes them as a module that the server needs no file beside. What is made is not committed. Does nothing where the
// module was made of the very sources; runs before a build, a typecheck and the tests.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import makeConsoleHelp from "./console-help.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "apps/console/src");
const made = join(root, "apps/server/src/page/page.generated.ts");

/** The folders whose files the page is made of. Tests are none of it. */
const folders = [
  source,
  ...["packages/client/src", "packages/audit/src/audits", "packages/serve/src/audit-log"].map((path) =>
    join(root, path),
  ),
];

function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true }).sort()) {
      if (!/\.(tsx?|css|html)$/.test(name) || /\.test\.tsx?$/.test(name)) continue;
      hash.update(name).update(readFileSync(join(folder, name)));
    }
  for (const manifest of ["apps/console/package.json", "package-lock.json"])
    hash.update(readFileSync(join(root, manifest)));
  return hash.digest("hex");
}

const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

async function bundle() {
  const { output } = await build({
    configFile: false,
    root: source,
    logLevel: "warn",
    publicDir: false,
    // Vite's own conditions, after that of the house's packages.
    resolve: { conditions: ["source", "module", "browser", "production"] },
    // A page that is made within tests is the page that is shipped: without the names of this machine's files.
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    build: {
      write: false,
      target: "es2022",
      // A browser that knows these features preloads modules by itself.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(source, "index.html"),
        output: {
          entryFileNames: "assets/[hash:12].js",
          chunkFileNames: "assets/[hash:12].js",
          assetFileNames: "assets/[hash:12][extname]",
        },
      },
    },
  });
  const text = ({ code, source: bytes }) => code ?? String(bytes);
  const html = output.find(({ fileName }) => fileName === "index.html");
  const assets = output
    .filter((file) => file !== html)
    .map((file) => ({
      path: `/${file.fileName}`,
      type: types[file.fileName.split(".").at(-1)],
      text: text(file),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  // What is written {{so}} is the service's to fill in when it starts.
  return { html: text(html), assets };
}

/** Makes the module where it is missing or of other sources. */
export default async function makeConsole() {
  makeConsoleHelp();
  const stamp = `// ${fingerprint()}\n`;
  if (existsSync(made) && readFileSync(made, "utf8").startsWith(stamp)) return;
  const page = await bundle();
  const text = `${stamp}/** The page of apps/console, bundled by scripts/console.mjs. */
export const page: {
  readonly html: string;
  readonly assets: readonly { readonly path: string; readonly type: string; readonly text: string }[];
} = ${JSON.stringify(page)};
`;
  mkdirSync(dirname(made), { recursive: true });
  const beside = `${made}.${process.pid}`;
  writeFileSync(beside, text);
  renameSync(beside, made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeConsole();
