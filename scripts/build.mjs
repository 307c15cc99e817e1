// Builds every workspace package with tsdown: ESM and type declarations into dist/; the package that users install also for require. Skips
// packages whose sources did not change.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import makeConsole from "./console.mjs";
import makeConsoleWorker from "./console-worker.mjs";
import makeKernels from "./kernels.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = [
  "packages/core",
  "packages/query",
  "packages/learn",
  "packages/ledger",
  "packages/engines/duckdb",
  "packages/engines/postgres",
  "packages/engines/trino",
  "packages/gateway",
  "packages/serve",
  "packages/verify",
  "packages/client",
  "packages/audit",
  "apps/server",
  "apps/cli",
];

function fingerprint(directory) {
  const hash = createHash("sha256");
  for (const entry of readdirSync(join(directory, "src"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.includes(".test.")) continue;
    const path = join(entry.parentPath, entry.name);
    hash.update(path).update(readFileSync(path));
  }
  return hash
    .update(readFileSync(join(directory, "package.json")))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest("hex");
}

/**
 * Native addons and wasm find their files beside themselves; prompts and plots are seldom needed. Of DuckDB its binding
 * alone: to find and read the hundred small modules around it costs a cold query a fifth of its time.
 */
const unbundled = [
  "@duckdb/node-bindings",
  "@photostructure/sqlite",
  "libpg-query",
  "pg",
  "@clack/prompts",
  "@observablehq/plot",
  "happy-dom",
];

/** Zod comes with its messages in many languages, two fifths of what is bundled of it; one is shown. */
const oneLanguage = {
  name: "one-language",
  load: (path) =>
    /\/zod\/v4\/locales\/index\.js$/.test(path) ? 'export { default as en } from "./en.js";' : null,
};

const common = { format: "esm", fixedExtension: true, target: "node20", logLevel: "warn", config: false };

await makeKernels();
await makeConsole();
await makeConsoleWorker();
for (const name of packages) {
  const cwd = join(root, name);
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  const stamp = join(cwd, "dist", ".fingerprint");
  // A program is one bundle with all that it uses, so it changes with any package.
  const current = (manifest.bin ? packages : [name]).map((each) => fingerprint(join(root, each))).join();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === current) continue;
  const entry = Object.values(manifest.exports)
    .flatMap((target) => target.source ?? [])
    .filter((path) => existsSync(join(cwd, path)));
  const platform = name === "packages/core" ? "neutral" : "node";
  if (!manifest.bin) await build({ ...common, cwd, entry, platform, dts: { oxc: true }, clean: true });
  else {
    // What users install is this one package, by import and by require: the house's own packages are in it, with their types.
    const inside = { alwaysBundle: [/^@lethe\//], neverBundle: Object.keys(manifest.dependencies) };
    const dts = { oxc: true, resolver: "oxc" };
    await build({ ...common, cwd, entry, platform, format: ["esm", "cjs"], dts, clean: true, deps: inside });
    // Finding and compiling some hundred small modules costs a sixth of a query's time.
    const deps = { alwaysBundle: [/.*/], neverBundle: unbundled, onlyBundle: false };
    const alias = Object.fromEntries(packages.flatMap((each) => bundledSource(each)));
    await build({
      ...common,
      cwd,
      entry: { bin: "src/bin.ts", "ask-worker": "../server/src/workers/ask-worker.ts" },
      platform,
      dts: false,
      clean: false,
      // White space and comments are a third of what each start reads; names stay, for traces.
      minify: { compress: false, mangle: false, codegen: true },
      deps,
      alias,
      plugins: [oneLanguage],
    });
  }
  writeFileSync(stamp, current);
}

/** A bundle is made from sources, not from what was built before it. */
function bundledSource(name) {
  const cwd = join(root, name);
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  return Object.entries(manifest.exports).map(([path, { source }]) => [
    manifest.name + path.slice(1),
    join(cwd, source),
  ]);
}
