import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { duckdb, postgres, readPolicy, snapshotColumns, snapshotSelect } from "@lethe/query";
import { expect, it } from "vitest";
import { policyOf } from "../testing/engine-fixture.ts";
import { domainHash } from "./domain-hash.ts";

const table = `t: { file: t.csv, unit: who, max_groups_contributed: 2, max_rows_contributed_per_group: 3,
    columns: { who: { type: text }, x: { type: number, bounds: [0, 10], default: 1 }, g: { type: text, categories: [a, b] } } }`;
const hashOf = (text: string): string => domainHash(policyOf(text).tables.t!);

it.each([
  ["file: t.csv", "file: u.csv"],
  ["file: t.csv", "file: t.csv, csv: { delimiter: ';' }"],
  ["file: t.csv", "file: t.csv, csv: { header: false }"],
  ["[0, 10]", "[0, 11]"],
  ["[0, 10]", "[-1, 10]"],
  ["default: 1", "default: 2"],
  [", default: 1", ""],
  ["[a, b]", "[a, c]"],
  ["x: { type: number", "x: { type: integer"],
  ["who: { type: text }", "who: { type: integer }"],
  [", g:", ", h: { type: text }, g:"],
])("the cells of a snapshot mean something else where %s is %s", (from, to) => {
  expect(table).toContain(from);
  expect(hashOf(table.replace(from, to))).not.toBe(hashOf(table));
});

it("the relation of a database is part of what a snapshot is of", () => {
  const inside = table.replace("t.csv", "t.duckdb");
  const staff = inside.replace("unit:", "relation: staff, unit:");
  expect(hashOf(staff)).not.toBe(hashOf(inside));
});

it.each([
  ["max_groups_contributed: 2", "max_groups_contributed: 9"],
  ["max_rows_contributed_per_group: 3", "max_rows_contributed_per_group: 9"],
  ["unit:", "expected_rows: 7, unit:"],
])("the limits of a table do not touch its cells: %s, or %s", (from, to) => {
  expect(table).toContain(from);
  expect(hashOf(table.replace(from, to))).toBe(hashOf(table));
});

it("a copy from a database is of rows that the database cleaned", () => {
  const { t } = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
database: { kind: postgres }
tables:
  t: { relation: clinic.t, unit: who, columns: { who: { type: text }, x: { type: number, bounds: [0, 10] } } }
`).tables;
  const { file, relation, csv, unit, columns } = t!;
  const stored = snapshotColumns(t!, duckdb).map(({ name, type, nullable }) => ({ name, type, nullable }));
  const hashIf = (select: string): string => {
    const conversion = { columns: stored, select };
    return sha256(canonicalJson({ file, relation, csv, unit, columns, conversion }));
  };
  expect(domainHash(t!)).toBe(hashIf(snapshotSelect(t!, "source", postgres)));
  expect(domainHash(t!)).not.toBe(hashIf(snapshotSelect(t!, "source", duckdb)));
});

it("is one sha256 in hex, the same each time", () => {
  expect(hashOf(table)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf(table)).toBe(hashOf(table));
});
