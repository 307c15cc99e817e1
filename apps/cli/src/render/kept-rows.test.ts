import { type KeptRows, type Policy, readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { renderKeptRows } from "./kept-rows.ts";

const policyOf = (unit: string, more = ""): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people: { file: p.csv, unit: id, key: id, columns: { id: { type: text } } }
  visits: { file: v.csv, unit: ${unit}, max_groups_contributed: 2, max_rows_contributed_per_group: 3, ${more}columns: { pid: { type: text } } }
budget: { measure: pure, epsilon: 5 }
`);
const kept: KeptRows = { units: 20, beyond: 10, limit: 3, share: 0.6612, grouped: [] };
const ward = { column: "the ward", beyond: 1, share: 0.5 };
const question =
  "SELECT PERCENTILE_CONT(LEAST(n, 100), 0.95) FROM (SELECT pid, COUNT(*) AS n FROM visits GROUP BY pid) u";
const rest = [
  "A limit that you read off these numbers becomes public with the policy. The private way to choose one is a paid question:",
  `  lethe query "${question}"`,
];

it("nothing is said where limits keep every row", () => {
  expect(renderKeptRows({ ...kept, beyond: 0 }, "visits", policyOf("pid"))).toEqual([]);
});

it("units beyond their limit are counted, with the limit, the share of rows that counts, and how to choose one", () => {
  expect(renderKeptRows(kept, "visits", policyOf("pid"))).toEqual([
    "10 of 20 units have more than 3 rows (max_rows_contributed_per_group, 3): a question without GROUP BY counts 66.1 % of the rows",
    ...rest,
  ]);
});

it("a table that bounds rows before the filter is told with the product of its limits", () => {
  const policy = policyOf("pid", "limit: rows-before-filter, ");
  expect(renderKeptRows({ ...kept, limit: 6, units: 1, beyond: 1 }, "visits", policy)).toEqual([
    "1 of 1 unit have more than 6 rows (max_groups_contributed × max_rows_contributed_per_group, 2 × 3): a question counts 66.1 % of the rows",
    ...rest,
  ]);
});

it("groups by one column are told where units are in too many of them, though no unit has too many rows", () => {
  const policy = policyOf("{ through: pid, references: people.id }");
  expect(renderKeptRows({ ...kept, beyond: 0, limit: 1, grouped: [ward] }, "visits", policy)).toEqual([
    "0 of 20 units have more than 1 row (max_rows_contributed_per_group, 3): a question without GROUP BY counts 66.1 % of the rows",
    'GROUP BY "the ward": 1 unit in more than 2 groups (max_groups_contributed): about 50.0 % of the rows count',
    ...rest,
  ]);
});
