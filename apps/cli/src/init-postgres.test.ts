import { existsSync, readFileSync } from "node:fs";
import type { Release } from "@lethe/gateway";
import { type Policy, readPolicy } from "@lethe/query";
import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inFolder, lethe } from "./testing/command-line.ts";

const long = "ü".repeat(31); // 62 bytes of the 63 that a name may have
const statements = [
  "CREATE SCHEMA clinic",
  "CREATE TYPE sex AS ENUM ('female', E'm\\nale')",
  "CREATE DOMAIN price AS numeric(8, 2) CHECK (VALUE <> 31337)",
  "CREATE EXTENSION citext",
  "CREATE TABLE codes (code text PRIMARY KEY, meaning text)",
  `CREATE TABLE clinic.people (id bigint PRIMARY KEY, manager bigint REFERENCES clinic.people (id), age int DEFAULT 31337,
     sex sex, mail citext UNIQUE, photo bytea, born date)`,
  `CREATE TABLE clinic.visits (visit_id uuid PRIMARY KEY DEFAULT gen_random_uuid(), person_id bigint REFERENCES clinic.people (id),
     code text REFERENCES codes (code), cost price, began timestamptz, UNIQUE (visit_id, code))`,
  `CREATE TABLE clinic."${long}" ("a ""b" uuid REFERENCES clinic.visits (visit_id), "Größe" real)`,
  "CREATE TABLE people (id int PRIMARY KEY, clinic_id bigint REFERENCES clinic.people (id))",
  "CREATE TABLE letters (mail citext REFERENCES clinic.people (mail), sent date)",
  "CREATE TABLE remarks (visit uuid, code text, FOREIGN KEY (visit, code) REFERENCES clinic.visits (visit_id, code))",
  'CREATE TABLE "no.dots" (id bigint REFERENCES clinic.people (id))',
  'CREATE TABLE "turned\u202e" (id bigint REFERENCES clinic.people (id))',
  "CREATE TABLE hidden (id bigint REFERENCES clinic.people (id))",
  "CREATE TABLE days (day date, person_id bigint REFERENCES clinic.people (id)) PARTITION BY RANGE (day)",
  "CREATE TABLE days_2020 PARTITION OF days FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')",
  "CREATE VIEW recent AS SELECT * FROM clinic.visits WHERE cost > 31337",
  "INSERT INTO codes SELECT 'c' || i, 'x' FROM generate_series(0, 3) AS i",
  "INSERT INTO clinic.people SELECT i, NULL, i % 90, 'female', 'a' || i FROM generate_series(0, 399) AS i",
  "INSERT INTO clinic.visits (person_id, code, cost) SELECT i % 400, 'c' || i % 4, 50 FROM generate_series(0, 799) AS i",
  "CREATE ROLE lethe LOGIN",
  "GRANT USAGE ON SCHEMA clinic TO lethe",
  "GRANT SELECT ON ALL TABLES IN SCHEMA clinic, public TO lethe",
  "REVOKE SELECT ON hidden FROM lethe",
];

const text = (): string => readFileSync("lethe.yaml", "utf8");
const written = (): Policy => readPolicy(text());

describe.skipIf(!hasPostgres())("lethe init over a PostgreSQL database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    for (const statement of statements) await admin.query(statement);
    await admin.end();
    process.env.LETHE_DATABASE_URL = server.urlOf("lethe");
  });
  afterAll(async () => {
    delete process.env.LETHE_DATABASE_URL;
    delete process.env.LETHE_TEST_NOWHERE;
    await server.stop();
  });

  it("proposes units from declared keys; after the owner's words joins are answered", () =>
    inFolder({}, async () => {
      const words = ["--bounds", "visits.cost=0..100", "--bounds", "clinic.people.age=0..90"];
      const said = await lethe(
        "init",
        "--postgres",
        "--unit",
        "clinic.people.id",
        "--max-rows",
        "2",
        ...words,
      );
      expect(said).toMatchObject({ error: "", code: null });
      const { database, tables } = written();
      expect(database).toEqual({ kind: "postgres", urlVariable: "LETHE_DATABASE_URL" });
      expect(Object.keys(tables).sort()).toEqual(["clinic_people", "days", "people", "visits", long]);
      expect(tables.clinic_people).toMatchObject({
        relation: "clinic.people",
        unit: { kind: "column", column: "id" },
        columns: {
          age: { type: "integer", bounds: [0, 90] },
          sex: { type: "text", categories: null },
          mail: { type: "text" },
          born: { type: "date" },
        },
      });
      expect(tables.visits).toMatchObject({
        relation: "clinic.visits",
        unit: { kind: "through", column: "person_id", references: { table: "clinic_people", column: "id" } },
        key: "visit_id",
        columns: { visit_id: { type: "text" }, cost: { type: "number" }, began: { type: "timestamp" } },
      });
      expect(tables[long]).toMatchObject({
        relation: `clinic.${long}`,
        unit: { kind: "through", column: 'a "b', references: { table: "visits", column: "visit_id" } },
        columns: { Größe: { type: "number" } },
      });
      expect(tables.people).toMatchObject({
        relation: null,
        unit: { kind: "through", column: "clinic_id" },
        key: "id",
      });
      for (const comment of [
        "manager refers to clinic_people itself",
        "photo is left out: its type, bytea",
        'labels female, "m\\nale"',
        "mail refers to clinic_people.mail, and is not followed",
        "(visit, code) refers to visits by several columns",
        "no.dots has a name",
        '"turned\\u{202e}" has a name',
        "  #codes:\n  #  public: true",
        "  #recent:\n  #  unit: COLUMN",
      ])
        expect(text()).toContain(comment);
      expect(text()).not.toMatch(/31337|hidden|days_2020|127\.0\.0\.1|\u202e/);
      expect((await lethe("policy", "check")).code).toBeNull();

      const join =
        "SELECT COUNT(*) AS n, AVG(v.cost) FROM clinic_people p JOIN visits v ON v.person_id = p.id WHERE p.age < 90";
      const asked = await lethe("query", join, "--epsilon", "4", "--format", "json");
      expect(asked).toMatchObject({ error: "", code: null });
      const [count] = (JSON.parse(asked.out) as Release).rows[0]!;
      // 800 rows, 2 a unit; noise of scale 2 · 2 / 4 at most is off by 60 less than once in e^60.
      expect(Math.abs((count as { readonly value: number }).value - 800)).toBeLessThan(60);
    }));

  it("takes the variable's name, never the URL", () =>
    inFolder({}, async () => {
      const asked = (...words: string[]) =>
        lethe("init", ...words, "--unit", "visits.person_id", "--table", "visits");
      const url = await asked("--postgres", "postgres://lethe:geheim@host/db");
      expect(url).toMatchObject({ code: "cli.usage", error: expect.not.stringContaining("geheim") });
      expect(await asked("--postgres", "LETHE_TEST_NOWHERE")).toMatchObject({ code: "engine.source" });
      for (const nowhere of [
        "postgres://lethe:geheim@127.0.0.1:1/db",
        "postgres://lethe:geheim@[::/x",
        "geheim",
      ]) {
        process.env.LETHE_TEST_NOWHERE = nowhere;
        const said = await asked("--postgres", "LETHE_TEST_NOWHERE");
        expect(said).toMatchObject({ code: "engine.source", error: expect.not.stringContaining("geheim") });
      }
      expect(existsSync("lethe.yaml") || existsSync(".lethe")).toBe(false);
      process.env.LETHE_TEST_NOWHERE = server.urlOf("lethe");
      expect(await asked("--postgres", "LETHE_TEST_NOWHERE")).toMatchObject({ error: "", code: null });
      expect(written().database?.urlVariable).toBe("LETHE_TEST_NOWHERE");
      expect(Object.keys(written().tables)).toEqual(["visits"]);
    }));
});
