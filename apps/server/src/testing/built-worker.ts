import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Native modules and wasm find their files beside themselves. */
const external = ["@duckdb/node-api", "@duckdb/node-bindings", "@photostructure/sqlite", "libpg-query", "pg"];

/** Builds the program of the worker threads from its sources, where it finds the modules that it leaves outside; gives its URL, and what removes it. */
export async function builtWorker(): Promise<{ readonly entry: URL; readonly remove: () => void }> {
  const folder = fileURLToPath(
    new URL(`../../../../node_modules/.lethe-worker-${process.pid}`, import.meta.url),
  );
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, "ask-worker.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../workers/ask-worker.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    external,
    logLevel: "silent",
    // Modules of the older kind that are bundled ask for Node's own by require.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return { entry: pathToFileURL(outfile), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
