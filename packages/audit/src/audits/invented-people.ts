import { elementAt } from "@lethe/core/numeric";
import type { Account, InventedTable, World } from "../attacks/services/service.ts";

/** One person, or one of her rows. */
export type Row = InventedTable["rows"][number];

const sectors = ["mill", "port", "farm"];
const towns = ["Ur", "Uruk", "Kish", "Lagash", "Nippur"];

/** Nobody of the first forty works on a farm. */
export const people: readonly Row[] = Array.from({ length: 120 }, (_, at) => [
  `p${at % 40}`,
  elementAt(sectors, at % 2),
  elementAt(towns, (at * at) % 5),
  (at * 7) % 90,
]);
/** A table of these rows, each a unit or with others of one person. */
export function worldOf(unit: string, rows: readonly Row[]): World {
  const bounds = unit === "row" ? "" : " max_groups_contributed: 2, max_rows_contributed_per_group: 2,";
  return {
    tables: [
      {
        name: "people",
        columns: [
          { name: "person", type: "text" },
          { name: "sector", type: "text" },
          { name: "town", type: "text" },
          { name: "age", type: "integer" },
        ],
        rows,
      },
    ],
    policy: `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people: { file: people.parquet, unit: ${unit},${bounds} columns: {
    person: { type: text }, sector: { type: text, categories: [${sectors.join(", ")}], default: port },
    town: { type: text }, age: { type: integer, bounds: [0, 100] } } }
`,
  };
}

export const account: Account = { epsilon: "100", delta: "1e-4", analysts: {} };
