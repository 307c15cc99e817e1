import { readdirSync } from "node:fs";
import type { Catalog, CatalogColumn, CatalogRelation } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { describeDuckDb } from "./describe-duckdb.ts";
import { type Fixture, fixture } from "./testing/engine-fixture.ts";

/** Types that may be asked: how a policy declares each, and which other columns' texts its values are equal to. */
const scalars: readonly (readonly [native: string, type: CatalogColumn["type"], spelling: string | null])[] =
  [
    ...["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"].map((n) => [n, "integer", "integer"] as const),
    ...["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"].map(
      (n) => [n, "integer", "integer"] as const,
    ),
    ["FLOAT", "number", null],
    ["DOUBLE", "number", null],
    ["DECIMAL(9,2)", "number", null],
    ["BOOLEAN", "boolean", null],
    ["DATE", "date", null],
    ["TIMESTAMP", "timestamp", null],
    ["TIMESTAMP_S", "timestamp", null],
    ["TIMESTAMP_NS", "timestamp", null],
    ["TIMESTAMP WITH TIME ZONE", "timestamp", null],
    ["TIME", "text", null],
    ["VARCHAR", "text", "text"],
    ["UUID", "text", "uuid"],
  ];
const nested = [
  "INTEGER[]",
  "VARCHAR[2]",
  "STRUCT(a INTEGER)",
  "MAP(VARCHAR, INTEGER)",
  "BLOB",
  "BIT",
  "INTERVAL",
];

let house: Fixture;
let catalog: Catalog;
beforeAll(async () => {
  house = fixture("t: { file: t.duckdb, unit: row, columns: { a: { type: text } } }");
  const columns = [...scalars.map(([native]) => native), ...nested].map((native, at) => `c${at} ${native}`);
  await house.prepare(
    "ATTACH '$DIR/t.duckdb' AS t",
    "USE t",
    "CREATE SCHEMA t.hr",
    "CREATE TYPE t.mood AS ENUM ('sad', 'it''s', 'a, b)', '')",
    `CREATE TABLE t.types (${columns.join(", ")}, felt t.mood, moods t.mood[])`,
    "CREATE TABLE hr.people (mail VARCHAR UNIQUE, id INTEGER PRIMARY KEY, a INTEGER NOT NULL DEFAULT 31337, b INTEGER CHECK (b <> 31337), UNIQUE (b, a))",
    "CREATE TABLE hr.visits (who INTEGER REFERENCES hr.people (id), x INTEGER, y INTEGER, FOREIGN KEY (x, y) REFERENCES hr.people (b, a))",
    "CREATE TABLE t.people (id BIGINT)",
    "CREATE VIEW t.hr.seen AS SELECT id AS number, mail FROM t.hr.people",
    "INSERT INTO t.hr.people VALUES ('a@b.c', 1, 2, 3)",
    "USE memory",
    "DETACH t",
  );
  catalog = await describeDuckDb(house.path("t.duckdb"));
});
afterAll(() => house.remove());

const relation = (schema: string, name: string): CatalogRelation =>
  catalog.relations.find((each) => each.schema === schema && each.name === name)!;

describe("the catalog of a .duckdb file", () => {
  it("names every table and view by its schema, and nothing of DuckDB's own", () => {
    expect(catalog.relations.map(({ schema, name, kind }) => `${kind} ${schema}.${name}`).sort()).toEqual([
      "table hr.people",
      "table hr.visits",
      "table main.people",
      "table main.types",
      "view hr.seen",
    ]);
  });

  it("says the columns of each in their order, also of views and of tables of one name", () => {
    const names = (schema: string, name: string): readonly string[] =>
      relation(schema, name).columns.map((column) => column.name);
    expect(names("hr", "people")).toEqual(["mail", "id", "a", "b"]);
    expect(names("main", "people")).toEqual(["id"]);
    expect(names("hr", "seen")).toEqual(["number", "mail"]);
  });

  it("says how a policy declares each type, and whose texts its values are equal to", () => {
    const { columns } = relation("main", "types");
    expect(columns.slice(0, scalars.length)).toEqual(
      scalars.map(([native, type, spelling], at) => ({ name: `c${at}`, native, type, spelling, labels: [] })),
    );
  });

  it("has no declaration for nested values, bytes and spans of time", () => {
    const { columns } = relation("main", "types");
    const found = columns.slice(scalars.length, scalars.length + nested.length);
    expect(found.map(({ type, labels }) => ({ type, labels }))).toEqual(
      nested.map(() => ({ type: null, labels: [] })),
    );
    expect(found.map(({ spelling }) => spelling)).toEqual(nested.map(() => null));
    expect(columns.at(-1)).toMatchObject({ name: "moods", type: null, spelling: null, labels: [] });
    expect(columns.at(-1)!.native).toMatch(/^ENUM\(.*\)\[\]$/);
  });

  it("says the labels of an enumeration in their order, quotes and commas included", () => {
    expect(relation("main", "types").columns.at(-2)).toEqual({
      name: "felt",
      native: "ENUM",
      type: "text",
      spelling: "enum",
      labels: ["sad", "it's", "a, b)", ""],
    });
  });

  it("says primary and unique keys, each with its columns in their order", () => {
    const { keys } = relation("hr", "people");
    expect(keys.filter(({ primary }) => primary)).toEqual([{ columns: ["id"], primary: true }]);
    const others = keys.filter(({ primary }) => !primary).map(({ columns }) => columns.join());
    expect(others.sort()).toEqual(["b,a", "mail"]);
    for (const name of ["people", "types"]) expect(relation("main", name).keys).toEqual([]);
    expect(relation("hr", "visits").keys).toEqual([]);
  });

  it("says foreign keys at the table that has them, with the columns that they lead to", () => {
    const { foreignKeys } = relation("hr", "visits");
    expect([...foreignKeys].sort((a, b) => a.columns.length - b.columns.length)).toEqual([
      { columns: ["who"], references: { schema: "hr", name: "people", columns: ["id"] } },
      { columns: ["x", "y"], references: { schema: "hr", name: "people", columns: ["b", "a"] } },
    ]);
    for (const [schema, name] of [
      ["hr", "people"],
      ["main", "people"],
      ["hr", "seen"],
    ] as const)
      expect(relation(schema, name).foreignKeys).toEqual([]);
  });

  it("quotes no default, no CHECK and no row", () => {
    expect(JSON.stringify(catalog)).not.toMatch(/31337|a@b\.c/);
  });
});

it("a catalog that cannot be read is refused by the name that was given, and no folder stays behind", async () => {
  house.write("text.duckdb", "id,secret\n31337,x\n");
  vi.stubEnv("TMPDIR", house.path("."));
  try {
    const before = readdirSync(house.path("."));
    for (const name of ["text.duckdb", "missing.duckdb"]) {
      const file = house.path(name);
      const refusal = await describeDuckDb(file).catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        code: "engine.source",
        message: `the catalog of ${file} cannot be read`,
        fix: "check that it is a DuckDB database, and that no other process is writing to it",
        fields: { file },
      });
      expect(JSON.stringify(refusal)).not.toContain("31337");
    }
    await describeDuckDb(house.path("t.duckdb"));
    expect(readdirSync(house.path("."))).toEqual(before);
  } finally {
    vi.unstubAllEnvs();
  }
});
