import type { Catalog, CatalogColumn, CatalogRelation } from "@lethe/query";
import { hasPostgres, serverWith } from "@lethe/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { describePostgres } from "./describe-postgres.ts";

type Told = readonly [native: string, type: CatalogColumn["type"], spelling: string | null];

/** How a policy declares each type, and whose texts its values are equal to. */
const scalars: readonly Told[] = [
  ["smallint", "integer", "integer"],
  ["integer", "integer", "integer"],
  ["bigint", "integer", "integer"],
  ["real", "number", null],
  ["double precision", "number", null],
  ["numeric(9,2)", "number", null],
  ["numeric", "number", null],
  ["boolean", "boolean", null],
  ["date", "date", null],
  ["timestamp without time zone", "timestamp", null],
  ["timestamp with time zone", "timestamp", null],
  ["time without time zone", "text", null],
  ["text", "text", "text"],
  ["character varying(9)", "text", "text"],
  ["character(3)", "text", "padded text"],
  ["uuid", "text", "uuid"],
  ["inet", "text", null],
  ["name", "text", null],
  ["json", null, null],
  ["bytea", null, null],
  ["integer[]", null, null],
  ["int4range", null, null],
  ["interval", null, null],
];

describe.skipIf(!hasPostgres())("the catalog of a PostgreSQL server", () => {
  const own = serverWith(`CREATE ROLE reader LOGIN; CREATE ROLE stranger LOGIN;
    CREATE SCHEMA hr; CREATE SCHEMA closed; CREATE TABLE closed.people (id integer); GRANT SELECT ON closed.people TO reader;
    CREATE EXTENSION citext; CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
    CREATE TYPE mood AS ENUM ('sad', 'it''s', 'a, b'); CREATE DOMAIN euros AS numeric(10, 2);
    CREATE TABLE types (${scalars.map(([native], at) => `c${at} ${native}`).join(", ")});
    CREATE TABLE own_types (felt mood, pay euros, mail citext, folded text COLLATE nocase);
    CREATE TABLE hr.people (mail text, id integer PRIMARY KEY, a integer NOT NULL DEFAULT 31337, b integer CHECK (b <> 31337), gone integer,
      secret text, UNIQUE (b, a));
    ALTER TABLE hr.people DROP COLUMN gone;
    CREATE UNIQUE INDEX ON hr.people (mail) INCLUDE (a); CREATE UNIQUE INDEX ON hr.people (a) WHERE b > 31337;
    CREATE UNIQUE INDEX ON hr.people (lower(mail)); CREATE INDEX ON hr.people (a);
    CREATE TABLE visits (who integer REFERENCES hr.people (id), x integer, y integer, FOREIGN KEY (x, y) REFERENCES hr.people (b, a));
    CREATE TABLE parted (id integer, k integer) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parted FOR VALUES FROM (0) TO (9);
    CREATE VIEW seen AS SELECT id AS number, mail FROM hr.people; CREATE MATERIALIZED VIEW kept AS TABLE visits;
    CREATE TABLE hidden (id integer); CREATE SEQUENCE counted;
    INSERT INTO hr.people VALUES ('a@b.c', 1, 2, 3, 's');
    GRANT USAGE ON SCHEMA hr TO reader; GRANT SELECT ON types, own_types, visits, parted, part, seen, kept, counted TO reader;
    GRANT SELECT (id, b, a, mail) ON hr.people TO reader`);
  let catalog: Catalog;
  beforeAll(async () => {
    catalog = await describePostgres(own.server.urlOf("reader"));
  });

  const relation = (schema: string, name: string): CatalogRelation =>
    catalog.relations.find((each) => each.schema === schema && each.name === name)!;

  it("names the tables and views that the role may read, without partitions and what is the server's own", () => {
    expect(catalog.relations.map(({ schema, name, kind }) => `${kind} ${schema}.${name}`).sort()).toEqual([
      "table hr.people",
      "table public.own_types",
      "table public.parted",
      "table public.types",
      "table public.visits",
      "view public.kept",
      "view public.seen",
    ]);
  });

  it("says the columns that the role may read, in their order", () => {
    const names = (schema: string, name: string): readonly string[] =>
      relation(schema, name).columns.map((column) => column.name);
    expect(names("hr", "people")).toEqual(["mail", "id", "a", "b"]);
    expect(names("public", "seen")).toEqual(["number", "mail"]);
  });

  it("says how a policy declares each type, and whose texts its values are equal to", () => {
    expect(relation("public", "types").columns).toEqual(
      scalars.map(([native, type, spelling], at) => ({ name: `c${at}`, native, type, spelling, labels: [] })),
    );
  });

  it("says the labels of an enumeration; what is equal though it differs is spelled in no way", () => {
    expect(relation("public", "own_types").columns).toEqual([
      {
        name: "felt",
        native: "public.mood",
        type: "text",
        spelling: "enum",
        labels: ["sad", "it's", "a, b"],
      },
      { name: "pay", native: "public.euros", type: "number", spelling: null, labels: [] },
      { name: "mail", native: "public.citext", type: "text", spelling: null, labels: [] },
      { name: "folded", native: "text", type: "text", spelling: null, labels: [] },
    ]);
  });

  it("says keys of all rows over columns alone, the primary one first", () => {
    expect(relation("hr", "people").keys).toEqual([
      { columns: ["id"], primary: true },
      { columns: ["b", "a"], primary: false },
      { columns: ["mail"], primary: false },
    ]);
    for (const name of ["visits", "types", "seen"]) expect(relation("public", name).keys).toEqual([]);
  });

  it("says foreign keys at the table that has them, with the columns that they lead to", () => {
    const { foreignKeys } = relation("public", "visits");
    expect([...foreignKeys].sort((a, b) => a.columns.length - b.columns.length)).toEqual([
      { columns: ["who"], references: { schema: "hr", name: "people", columns: ["id"] } },
      { columns: ["x", "y"], references: { schema: "hr", name: "people", columns: ["b", "a"] } },
    ]);
    expect(relation("hr", "people").foreignKeys).toEqual([]);
  });

  it("quotes no default, no CHECK and no row", () => {
    expect(JSON.stringify(catalog)).not.toMatch(/31337|a@b\.c/);
  });

  it("is empty for a role that may read nothing", async () => {
    expect(await describePostgres(own.server.urlOf("stranger"))).toEqual({ relations: [] });
  });

  it("leaves no connection behind, whether it was read or not", async () => {
    const open = async (): Promise<number> =>
      (await own.admin.query("SELECT FROM pg_stat_activity WHERE application_name = 'lethe'")).rowCount!;
    await describePostgres(own.server.urlOf("reader"));
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await open()).toBe(0);
  });

  it("of a database that is not encoded as UTF8 is refused in those words", async () => {
    await own.admin.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const url = own.server.urlOf("reader").replace(/postgres$/, "latin");
    await expect(describePostgres(url)).rejects.toMatchObject({
      code: "engine.source",
      message: "the database is encoded as LATIN1",
    });
  });

  it("of a role that is not there is refused with the server's code, and without the URL", async () => {
    const url = own.server.urlOf("nobody_31337");
    const refusal = await describePostgres(url).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "engine.source", message: "the database cannot be asked (28000)" });
    expect(JSON.stringify(refusal)).not.toMatch(/31337|127\.0\.0\.1/);
  });
});

it("a server that is not there is refused with the system's code, and without the URL", async () => {
  const refusal = await describePostgres("postgres://secret@127.0.0.1:1/base").catch(
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({
    code: "engine.source",
    message: "the database cannot be asked (ECONNREFUSED)",
    fix: "check that the server runs, and that the variable holds postgres://role@host/database",
  });
  expect(JSON.stringify(refusal)).not.toMatch(/secret|127\.0\.0\.1/);
});
