import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The ledger's sources as one module: other processes cannot read TypeScript, and dist may be older than the sources. */
export async function bundledLedger() {
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "lethe-crash-"));
  await build({
    cwd: root,
    entry: { ledger: "packages/ledger/src/index.ts" },
    outDir: folder,
    format: "esm",
    platform: "node",
    target: "node20",
    noExternal: [/^@lethe\//],
    external: ["@photostructure/sqlite", "pg"],
    inputOptions: { resolve: { conditionNames: ["source", "import", "node"] } },
    dts: false,
    logLevel: "error",
    config: false,
  });
  return {
    moduleUrl: pathToFileURL(join(folder, "ledger.mjs")).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
