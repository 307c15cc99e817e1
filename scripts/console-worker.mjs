// Bundles the thread of apps/console, which verifies releases and reads policies, with all of @lethe/verify, and writes it as a module that the server needs no file beside. What is made is not committed. Does nothing where
// the module was made of the very sources; runs before a build, a typecheck and the tests.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const entry = join(root, "apps/console/src/thread/worker.ts");
const made = join(root, "apps/server/src/page/verify-worker.generated.ts");

/** The packages of which the thread has parts. */
const packages = ["core", "ledger", "query", "serve", "verify"];

function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  const folders = ["apps/console/src/thread", ...packages.map((name) => `packages/${name}/src`)];
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true }).sort())
      if (name.endsWith(".ts") && !name.includes(".test."))
        hash.update(name).update(readFileSync(join(root, folder, name)));
  return hash.update(readFileSync(join(root, "package-lock.json"))).digest("hex");
}

/** PostgreSQL's grammar names two modules of Node in branches that only Node enters; anything else that names one fails to build. */
const withoutNode = {
  name: "without-node",
  setup(bundler) {
    bundler.onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      importer.includes("/libpg-query/") ? { path, namespace: "empty" } : null,
    );
    bundler.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "" }));
  },
};

/** Zod comes with its messages in many languages, two fifths of what is bundled of it; one is shown. */
const oneLanguage = {
  name: "one-language",
  setup(bundler) {
    bundler.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/** Makes the module where it is missing or of other sources. */
export default async function makeConsoleWorker() {
  const stamp = `// ${fingerprint()}\n`;
  if (existsSync(made) && readFileSync(made, "utf8").startsWith(stamp)) return;
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    conditions: ["source"],
    plugins: [withoutNode, oneLanguage],
    logLevel: "error",
  });
  const script = outputFiles[0].text;
  const text = `${stamp}/** The thread of apps/console, bundled by scripts/console-worker.mjs. */
export const verifyWorker: string = ${JSON.stringify(script)};
`;
  mkdirSync(dirname(made), { recursive: true });
  const beside = `${made}.${process.pid}`;
  writeFileSync(beside, text);
  renameSync(beside, made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeConsoleWorker();
