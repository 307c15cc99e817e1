import { describe, expect, it } from "vitest";
import { duckdb } from "../../dialects/duckdb/index.ts";
import { postgres } from "../../dialects/postgres/index.ts";
import { mostRowsOfUnit } from "../../plan/unit-contribution.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { placeColumn, unitColumn } from "../stored/snapshot-select.ts";
import { placedSelect, rowHash } from "./bounded-rows.ts";

const policyOf = (columns: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables: { visits: { file: v.csv, unit: who, columns: { who: { type: text }, ${columns} } } }
`);
const [a, b, wild] = ["a: { type: integer, bounds: [0, 9] }", "b: { type: text }", "c: { type: number }"];
const columnsOf = (columns: string): Policy["tables"][string]["columns"] =>
  policyOf(columns).tables.visits!.columns;
const stored = (name: string): string => `row.${name}`;

describe.each([
  ["duckdb", duckdb],
  ["postgres", postgres],
])("the hash by which rows are ordered, in %s", (_, dialect) => {
  const hash = (columns: string): string => rowHash("row.u", columnsOf(columns), stored, dialect);

  it("is of unit, seed and every column, in the order of their names whatever the policy's", () => {
    const due = hash(`${a}, ${b}, ${wild}`);
    for (const other of [`${b}, ${a}, ${wild}`, `${wild}, ${b}, ${a}`]) expect(hash(other)).toBe(due);
    for (const part of ["row.u", "row.a", "row.b", "row.c", "row.who", dialect.seed])
      expect(due).toContain(part);
    expect(due.indexOf("row.a")).toBeLessThan(due.indexOf("row.b"));
    expect(due.indexOf("row.b")).toBeLessThan(due.indexOf("row.c"));
    expect(hash(`${a}, ${b}`)).not.toContain("row.c");
  });

  it("takes −0 for 0 in a column of doubles, and no other", () => {
    const due = hash(`${a}, ${b}, ${wild}`);
    expect(due).toContain(`(row.c + ${dialect.double(0)})`);
    expect(due).not.toContain("(row.a +");
    // On a grid it is an integer.
    expect(hash("c: { type: number, bounds: [0, 9] }")).not.toContain("(row.c +");
  });

  it("gives a place to each row of a unit, up to the rows that any policy can grant", () => {
    const { visits } = policyOf(a!).tables;
    const sql = placedSelect(visits!, "SNAPSHOT", dialect);
    const [unit, place] = [unitColumn, placeColumn].map(dialect.identifier);
    expect(sql).toMatch(/^SELECT source\.\*, CASE WHEN /);
    expect(sql).toContain(`row_number() OVER (PARTITION BY source.${unit} ORDER BY `);
    expect(sql).toContain(`CASE WHEN source.${unit} IS NOT NULL THEN least(row_number()`);
    expect(sql).toContain(`, ${mostRowsOfUnit + 1}) END AS ${place} FROM SNAPSHOT AS source`);
    expect(mostRowsOfUnit).toBe(1_048_576);
  });
});
