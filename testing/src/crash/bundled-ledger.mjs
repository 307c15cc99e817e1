import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The ledger's sources as one module: other processes cannot read TypeScript, and dist may be older than the sources. `programs` names further files
 * to bundle with it, by what they are called; `fault` is a list of { file, from, to }: texts of the sources that are replaced, each of which
 * occurs once. Gives { moduleUrl, pathOf(program), remove }.
 */
export async function bundledLedger({ programs = {}, fault = [] } = {}) {
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "lethe-crash-"));
  await build({
    cwd: root,
    entry: { ledger: "packages/ledger/src/index.ts", ...programs },
    outDir: folder,
    format: "esm",
    platform: "node",
    target: "node20",
    noExternal: [/^@lethe\//],
    external: ["@photostructure/sqlite", "pg"],
    inputOptions: { resolve: { conditionNames: ["source", "import", "node"] } },
    plugins: [planting(fault)],
    dts: false,
    logLevel: "error",
    config: false,
  });
  return {
    moduleUrl: pathToFileURL(join(folder, "ledger.mjs")).href,
    pathOf: (program) => join(folder, `${program}.mjs`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Replaces the texts of a fault in the sources that it names. */
function planting(fault) {
  return {
    name: "planted-fault",
    transform(code, id) {
      const own = fault.filter(({ file }) => id.endsWith(file));
      if (own.length === 0) return null;
      return own.reduce((text, { file, from, to }) => {
        if (text.split(from).length !== 2) throw new Error(`${file} does not hold this text once: ${from}`);
        return text.replace(from, () => to);
      }, code);
    },
  };
}
