import { LetheError } from "@lethe/core";
import { describe, expect, test } from "vitest";
import type { Policy } from "../policy.ts";
import { doubleRoles } from "./double-roles.ts";
import { readPolicy } from "./read-policy.ts";

const read = (tables: readonly string[], database = ""): Policy =>
  readPolicy(`
version: 1
${database}
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
${tables.map((line, at) => `  ${"abcd"[at]}: { ${line} }`).join("\n")}
`);

const columns = "columns: { id: { type: text }, doctor: { type: text }, x: { type: number } }";
const rows = `unit: row, ${columns}`;
const own = `unit: id, ${columns}`;
const other = `unit: doctor, ${columns}`;
const free = `public: true, key: id, ${columns}`;
const through = `unit: { through: id, references: a.id }, ${columns}`;

function refusal(tables: readonly string[], database?: string): string | null {
  try {
    read(tables, database);
    return null;
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe("what the text of a policy tells", () => {
  test.each([
    [[`file: p.csv, ${rows}`, `file: p.csv, ${free}`]],
    [[`file: p.csv, ${rows}`, `file: ./p.csv, ${free}`]],
    [[`file: d/p.csv, ${rows}`, `file: d//./p.csv, ${own}`]],
    [[`file: p.csv, ${own}`, `file: p.csv, ${other}`]],
    [[`file: p.csv, ${own}`, `file: p.csv, ${own.replace("id: { type: text }", "id: { type: integer }")}`]],
    [[`file: p.csv, ${own}`, `file: p.csv, csv: { quote: "'" }, ${own}`]],
    [[`file: p.duckdb, relation: t, ${own}`, `file: p.duckdb, relation: main.T, ${free}`]],
    [[`file: p.duckdb, relation: b, ${own}`, `file: p.duckdb, ${rows}`]],
    [[`file: q.csv, ${own}`, `file: p.csv, ${own}`, `file: p.csv, ${through}`, `file: p.csv, ${rows}`]],
  ])("refuses two roles of one source: %j", (tables) => {
    expect(refusal(tables)).toMatch(
      /^policy\.roles: \w and \w read one source in two roles: \w as .*, \w as /,
    );
  });

  test("refuses two roles of a server's relation", () => {
    const server = "database: { kind: postgres }";
    expect(refusal([`relation: b, ${own}`, free], server)).toContain("policy.roles");
    expect(refusal([`relation: public.t, ${own}`, `relation: t, ${rows}`], server)).toContain("policy.roles");
    expect(refusal([`relation: T, ${own}`, `relation: t, ${rows}`], server)).toBeNull();
    expect(refusal([`relation: s.t, ${own}`, `relation: t, ${rows}`], server)).toBeNull();
  });

  test.each([
    [[`file: p.csv, ${own}`, `file: p.csv, ${own}, max_groups_contributed: 3`]],
    [[`file: p.csv, ${own}`, `file: p.csv, ${through}`]],
    [[`file: p.csv, ${rows}`, `file: p.csv, ${rows.replace("x: { type: number }", "x: { type: integer }")}`]],
    [[`file: p.csv, ${free}`, `file: p.csv, csv: { quote: "'" }, ${free}`, `file: q.csv, ${own}`]],
    [[`file: p.duckdb, ${own}`, `file: p.duckdb, ${free}`]],
    [[`file: p.csv, ${own}`, `file: P.csv, ${free}`]],
  ])("takes tables of one role, and other sources: %j", (tables) => {
    expect(refusal(tables)).toBeNull();
  });
});

describe("what is read for tables", () => {
  const policy = read([
    `file: p.csv, ${own}`,
    `file: q.csv, ${free}`,
    `file: r.csv, ${own}`,
    `file: s.csv, ${free}`,
  ]);
  const clash = (...reads: readonly (readonly string[] | null)[]): readonly string[] =>
    doubleRoles(policy, new Map(reads.map((each, at) => ["abcd"[at]!, each]))).map(({ tables }) =>
      tables.join(""),
    );

  test("clashes where two roles share any of it", () => {
    expect(clash(["1"], ["2"], ["1"], ["2"])).toEqual([]);
    expect(clash(["1", "5"], ["5", "2"], ["1"], ["3"])).toEqual(["ab"]);
    expect(clash([], ["2"], [], [])).toEqual([]);
  });

  test("clashes with every other role where it cannot be told", () => {
    expect(clash(null, ["2"], ["1"], ["3"])).toEqual(["ab", "ad"]);
    expect(
      doubleRoles(
        policy,
        new Map([
          ["a", null],
          ["b", ["2"]],
        ]),
      )[0]?.error.message,
    ).toMatch(/^what a reads cannot be told/);
  });
});
