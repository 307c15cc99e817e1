import type { TableOffered } from "@lethe/client";
import { expect, test } from "vitest";
import { wordsAt } from "./completions.ts";

const column = (name: string, bounds: readonly [number, number] | null = null) => ({
  name,
  type: "integer",
  bounds,
  categories: null,
});
const table = (name: string, columns: TableOffered["columns"]): TableOffered => ({
  name,
  kind: "private",
  unit: null,
  columns,
  questions: [],
});
const tables = [table("people", [column("age", [0, 100]), column("town")]), table("visits", [column("day")])];
const labels = (before: string, whole = before, kind?: string): readonly string[] =>
  wordsAt(before, whole, tables, ["count", "avg"])
    .filter((word) => kind === undefined || word.kind === kind)
    .map(({ label }) => label);

test("columns are those of the tables that the text names, and of all where it names none", () => {
  expect(labels("SELECT a", "SELECT a FROM people", "column")).toEqual(["age", "town"]);
  expect(labels("SELECT a", "SELECT a", "column")).toEqual(["age", "town", "day"]);
});

test("after a table's name, or its alias, come its columns alone", () => {
  expect(labels("SELECT visits.", "SELECT visits. FROM visits")).toEqual(["day"]);
  expect(labels("SELECT p.to", "SELECT p.to FROM people AS p")).toEqual(["age", "town"]);
  expect(labels("SELECT v.", "SELECT v. FROM people p JOIN visits v ON TRUE")).toEqual(["day"]);
  expect(labels("SELECT nobody.", "SELECT nobody. FROM people")).toEqual([]);
});

test("a column tells its type and bounds", () => {
  expect(wordsAt("S", "S", tables, []).find(({ label }) => label === "age")?.detail).toBe("integer 0 … 100");
});

test("functions and keywords are offered too, and nothing within quotes or a comment", () => {
  expect(labels("SELECT ", "SELECT ", "function")).toEqual(["COUNT", "AVG"]);
  expect(labels("SELECT 'it''s x' ", undefined, "keyword")).toContain("WHERE");
  for (const text of ["SELECT 'a", 'SELECT "a', "SELECT 1 -- a", "SELECT 'it''s"])
    expect(labels(text)).toEqual([]);
  expect(labels("SELECT 1 -- it's\n", undefined, "keyword")).toContain("FROM");
});
