import { LetheError } from "@lethe/core";
import { describe, expect, test } from "vitest";
import type { Policy } from "../policy.ts";
import { policyHash } from "../policy-hash.ts";
import { unitHash } from "../unit-hash.ts";
import { keyNamed, sharesUnits, unitPath } from "../unit-path.ts";
import { readPolicy } from "./read-policy.ts";

const chain = `
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer } } }
  visits: { file: a.duckdb, unit: { through: person, references: people.id }, key: visit, columns: {
    visit: { type: text }, person: { type: integer } } }
  items: { file: a.duckdb, unit: { through: visit, references: visits.visit }, key: item, columns: {
    item: { type: text }, visit: { type: text } } }
  notes: { file: a.duckdb, unit: { through: item, references: { table: items, column: item } }, columns: { item: { type: text } } }
  badges: { file: a.duckdb, unit: { through: visitor, references: visits.person }, columns: { visitor: { type: integer } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text, categories: [a] } } }
`;

const read = (tables: string): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
tables:${tables}`);

describe("a table's way to its unit", () => {
  const policy = read(chain);
  const people = { table: "people", column: "id" };

  test("is its column, its foreign key, or a chain of them", () => {
    expect(unitPath(policy, "people")).toEqual({ kind: "column", column: "id", path: [], names: people });
    // The key names the unit: nothing is to be looked up.
    expect(unitPath(policy, "visits")).toEqual({ kind: "column", column: "person", path: [], names: people });
    expect(unitPath(policy, "badges")).toEqual({
      kind: "column",
      column: "visitor",
      path: [],
      names: people,
    });
    const visit = { table: "visits", key: "visit", column: "person" };
    expect(unitPath(policy, "items")).toEqual({
      kind: "column",
      column: "visit",
      path: [visit],
      names: people,
    });
    expect(unitPath(policy, "notes")).toMatchObject({
      path: [{ table: "items", key: "item", column: "visit" }, visit],
      names: people,
    });
    expect(unitPath(policy, "codes")).toEqual({ kind: "public" });
    expect(sharesUnits(policy)).toBe(true);
  });

  test("says which columns hold keys of one thing", () => {
    expect(keyNamed(policy, "badges", "visitor")).toEqual(people);
    expect(keyNamed(policy, "visits", "person")).toEqual(people);
    expect(keyNamed(policy, "items", "visit")).toEqual({ table: "visits", column: "visit" });
    expect(keyNamed(policy, "visits", "visit")).toEqual({ table: "visits", column: "visit" });
    expect(keyNamed(policy, "codes", "code")).toBeNull();
  });

  test("is part of what a policy means, and of what a ledger is about", () => {
    const other = read(chain.replace("through: person, references: people.id", "column: person"));
    expect(policyHash(other)).not.toBe(policyHash(policy));
    expect(unitHash(other)).not.toBe(unitHash(policy));
    const unkeyed = read(chain.replace("public: true, key: code,", "public: true,"));
    expect(policyHash(unkeyed)).not.toBe(policyHash(policy));
  });
});

describe("refused, with the place and what would be accepted", () => {
  const edited = (from: string, to: string): string => {
    expect(chain).toContain(from);
    return chain.replace(from, to);
  };
  test.each([
    [
      "no such table",
      edited("references: people.id", "references: peple.id"),
      "is not a column of a table",
      "people.id",
    ],
    [
      "no such column",
      edited("references: people.id", "references: people.no"),
      "is not a column of a table",
      "people.id",
    ],
    ["no key", edited("key: visit, ", ""), "not declared as a key", "write key: visit below visits"],
    [
      "rows",
      edited("unit: id,", "unit: row,"),
      "each row is a unit and nothing names it",
      "unit: id below people",
    ],
    [
      "public",
      edited("references: people.id", "references: codes.code"),
      "whose rows are public",
      "names the unit",
    ],
    [
      "types",
      edited("person: { type: integer }", "person: { type: text }"),
      "of type text, to a key of type integer",
      "both as integer",
    ],
    [
      "a circle",
      edited("unit: id,", "unit: { through: id, references: badges.visitor },"),
      "leads back",
      "column of its own",
    ],
    [
      "a key that is cut",
      edited("visit: { type: text }, person", "visit: { type: text, max_length: 9 }, person"),
      "states a type alone",
      "max_length",
    ],
    ["a key unknown", edited("key: visit,", "key: nothing,"), "which columns does not declare", "declare it"],
    [
      "a key of fractions",
      edited("code: { type: text, categories: [a] }", "code: { type: number }"),
      "neither a text nor an integer",
      "text or integer",
    ],
    ["a key of rows", edited("unit: id,", "unit: row, key: id,"), "units of their own", "unit: id"],
    ["public and owned", edited("public: true,", "public: true, unit: row,"), "beside public", "remove one"],
    [
      "public and bounded",
      edited("public: true,", "public: true, max_groups_contributed: 2,"),
      "public rows have none",
      "remove it",
    ],
    ["no word on the unit", edited("unit: id,", ""), "whose are these rows", "unit: row"],
    [
      "nobody to protect",
      "\n  codes: { file: a.duckdb, public: true, columns: { code: { type: text } } }",
      "nobody to protect",
      "a unit",
    ],
  ])("%s", (_, tables, wrong, fix) => {
    let error: unknown;
    try {
      read(tables);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(LetheError);
    const { code, message, fix: said } = error as LetheError;
    expect(code).toBe("policy.invalid");
    expect(message).toMatch(/^line \d+, tables/);
    expect(message).toContain(wrong);
    expect(said).toContain(fix);
  });
});
