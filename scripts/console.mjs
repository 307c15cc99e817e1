// Bundles apps/console into one script, one style sheet and one page, and writes them as a module that the server needs no file beside. What is made is not committed. Does nothing where the module
// was made of the very sources; runs before a build, a typecheck and the tests.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "apps/console/src");
const made = join(root, "apps/server/src/page/page.generated.ts");

function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const folder of [source, join(root, "packages/client/src")])
    for (const name of readdirSync(folder).filter((n) => n.includes(".")).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.update(readFileSync(join(root, "apps/console/package.json"))).digest("hex");
}

const short = (text) => createHash("sha256").update(text).digest("base64url").slice(0, 12);

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [join(source, "main.tsx")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    conditions: ["source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = outputFiles[0].text;
  const style = readFileSync(join(source, "style.css"), "utf8");
  const paths = { script: `/assets/${short(script)}.js`, style: `/assets/${short(style)}.css` };
  // What is no path is the service's to fill in when it starts.
  const html = readFileSync(join(source, "index.html"), "utf8").replace(
    /\{\{(\w+)\}\}/g,
    (whole, name) => paths[name] ?? whole,
  );
  return { html, script: { path: paths.script, text: script }, style: { path: paths.style, text: style } };
}

/** Makes the module where it is missing or of other sources. */
export default async function makeConsole() {
  const stamp = `// ${fingerprint()}\n`;
  if (existsSync(made) && readFileSync(made, "utf8").startsWith(stamp)) return;
  const page = await bundle();
  const text = `${stamp}/** The page of apps/console, bundled by scripts/console.mjs. */
export const page: {
  readonly html: string;
  readonly script: { readonly path: string; readonly text: string };
  readonly style: { readonly path: string; readonly text: string };
} = ${JSON.stringify(page)};
`;
  mkdirSync(dirname(made), { recursive: true });
  const beside = `${made}.${process.pid}`;
  writeFileSync(beside, text);
  renameSync(beside, made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeConsole();
