import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Engine } from "@lethe/query";
import { afterEach, describe, expect, test } from "vitest";
import { unseal } from "../../../core/src/exact/exact.ts";
import { openDuckDb } from "./open-duckdb.ts";
import { ownedFolder } from "./owned-folder.ts";
import { compiled, type Fixture, fixture, policyOf } from "./testing/engine-fixture.ts";

let house: Fixture;
let engine: Engine | undefined;
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  house.remove();
});

const people = (file: string): string =>
  `people: { file: ${file}, unit: row, columns: { wage: { type: number, bounds: [0, 60] }, sector: { type: text } } }`;
const twoRows = "SELECT 12.5::DOUBLE AS wage, 'café' AS sector UNION ALL SELECT NULL, NULL";

async function sumsOf(sql: string): Promise<readonly bigint[]> {
  const rows = unseal(await engine!.run(compiled(sql, 0, 1)));
  return rows.groups.map((group) => group.sums[0]!);
}

describe("sources", () => {
  test("a Parquet file is read where it lies, whatever its folder is called", async () => {
    house = fixture(people("day=1/people.parquet"));
    const { mkdirSync } = await import("node:fs");
    mkdirSync(house.path("day=1"));
    await house.prepare(`COPY (${twoRows}) TO '$DIR/day=1/people.parquet'`);
    engine = await openDuckDb(house);
    expect(await engine.storage("people")).toEqual({
      relation: ["memory", "main", "people"],
      layout: "raw",
      types: { wage: "DOUBLE", sector: "VARCHAR" },
    });
    expect(await sumsOf('SELECT 0, count(*) FROM "people"')).toEqual([2n]);
  });

  test("a .duckdb file is read by the relation that the policy names, views and schemas included", async () => {
    house = fixture(
      `people: { file: p.duckdb, relation: hr.staff, trusted: true, unit: row, columns: { wage: { type: number } } }`,
    );
    await house.prepare(
      "ATTACH '$DIR/p.duckdb' AS p",
      "CREATE SCHEMA p.hr",
      `CREATE TABLE p.hr.raw AS ${twoRows}`,
      "CREATE VIEW p.hr.staff AS SELECT wage FROM p.hr.raw",
      "DETACH p",
    );
    engine = await openDuckDb(house);
    const { relation } = await engine.storage("people");
    expect(relation.slice(1)).toEqual(["hr", "staff"]);
    expect(await sumsOf(`SELECT 0, count(*) FROM ${relation.map((part) => `"${part}"`).join(".")}`)).toEqual([
      2n,
    ]);
  });

  test.each([
    ["missing.parquet", "engine.source"],
    ["folder.parquet", "engine.source"],
    ["text.parquet", "engine.source"],
    ["text.duckdb", "engine.source"],
    ["p[12].parquet", "engine.source"],
    ["people.csv", "engine.not-imported"],
  ])("%s is refused with %s, and the log alone has details", async (file, code) => {
    house = fixture(people(`"${file}"`));
    const { mkdirSync } = await import("node:fs");
    mkdirSync(house.path("folder.parquet"));
    for (const name of ["text.parquet", "text.duckdb", "people.csv", "p[12].parquet"]) {
      house.write(name, "wage,sector\n31337,secret\n");
    }
    engine = await openDuckDb(house);
    const refusal = await engine.storage("people").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code });
    expect(JSON.stringify(refusal)).not.toMatch(/31337|secret/);
  });

  test("one table that cannot be asked does not stop the other", async () => {
    house = fixture(
      `${people("people.parquet")}\nother: { file: gone.parquet, unit: row, columns: { a: { type: text } } }`,
    );
    await house.prepare(`COPY (${twoRows}) TO '$DIR/people.parquet'`);
    engine = await openDuckDb(house);
    await expect(engine.storage("other")).rejects.toMatchObject({ code: "engine.source" });
    await expect(engine.storage("toString")).rejects.toMatchObject({ code: "query.unknown-table" });
    expect((await engine.storage("people")).layout).toBe("raw");
  });

  test("a relation that the file lacks is refused by its own name, without its schema", async () => {
    house = fixture(
      "people: { file: p.duckdb, relation: hr.staff, unit: row, columns: { wage: { type: number } } }",
    );
    await house.prepare("ATTACH '$DIR/p.duckdb' AS p", "CREATE SCHEMA p.hr", "DETACH p");
    engine = await openDuckDb(house);
    await expect(engine.storage("people")).rejects.toMatchObject({
      code: "engine.schema",
      message: "the file of people has no relation staff",
      fields: { table: "people", relation: "staff" },
    });
  });

  test("drift of the schema is refused by the name of the column", async () => {
    house = fixture(people("people.parquet"));
    await house.prepare("COPY (SELECT 1.5 AS Wage, 'a' AS sector, 7 AS hidden) TO '$DIR/people.parquet'");
    engine = await openDuckDb(house);
    const refusal = await engine.storage("people").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "engine.schema", fields: { column: "wage" } });
    expect(JSON.stringify(refusal)).not.toContain("hidden");
  });

  test.each(["[1, 2]", "{'a': 1}", "'x'::BLOB"])("a column of %s is refused", async (value) => {
    house = fixture(people("people.parquet"));
    await house.prepare(`COPY (SELECT 1.5 AS wage, ${value} AS sector) TO '$DIR/people.parquet'`);
    engine = await openDuckDb(house);
    await expect(engine.storage("people")).rejects.toMatchObject({
      code: "engine.schema",
      fields: { column: "sector" },
    });
  });
});

describe("what DuckDB computes when it is read", () => {
  test.each([
    ["is a view", "CREATE VIEW p.Staff AS SELECT CAST(note AS DOUBLE) AS wage FROM p.raw"],
    [
      "has generated columns",
      "CREATE TABLE p.Staff (note VARCHAR, wage DOUBLE GENERATED ALWAYS AS (CAST(note AS DOUBLE)))",
    ],
  ])("%s: refused unless the policy vouches for it", async (words, made) => {
    const staff =
      "people: { file: p.duckdb, relation: staff, unit: row, columns: { wage: { type: number } } }";
    house = fixture(staff);
    await house.prepare(
      "ATTACH '$DIR/p.duckdb' AS p",
      "CREATE TABLE p.raw AS SELECT 'x' AS note",
      made,
      "DETACH p",
    );
    engine = await openDuckDb(house);
    await expect(engine.storage("people")).rejects.toMatchObject({
      code: "engine.untrusted",
      message: `the relation of people ${words}`,
      fix: expect.stringContaining("trusted: true"),
    });
    await engine.close();
    engine = await openDuckDb(house.with(policyOf(staff.replace("unit:", "trusted: true, unit:"))));
    expect(await engine.storage("people")).toMatchObject({ layout: "raw" });
  });

  test("elsewhere, under the same name, is no reason to refuse a table that stores its rows", async () => {
    house = fixture("people: { file: p.duckdb, unit: row, columns: { wage: { type: number } } }");
    await house.prepare(
      "ATTACH '$DIR/p.duckdb' AS p",
      "CREATE SCHEMA p.other",
      "CREATE TABLE p.people AS SELECT 1.5::DOUBLE AS wage",
      "CREATE VIEW p.other.people AS SELECT 2.5::DOUBLE AS wage",
      "CREATE TABLE p.seen (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1))",
      "CREATE VIEW p.people_2 AS SELECT 1 AS wage",
      "DETACH p",
    );
    engine = await openDuckDb(house);
    expect(await engine.storage("people")).toMatchObject({
      relation: ["p", "main", "people"],
      layout: "raw",
    });
  });
});

describe("a type that another is declared for", () => {
  test.each([
    ["wage", "DATE '2020-01-01' AS wage, 'a' AS sector"],
    ["wage", "TIMESTAMP '2020-01-01 10:00:00' AS wage, 'a' AS sector"],
    ["day", "1.5 AS wage, 'a' AS sector, 18000 AS day"],
    ["sector", "1.5 AS wage, 1.5e0 AS sector"],
    ["sector", "1.5 AS wage, CAST(1.5 AS FLOAT) AS sector"],
    ["day", "1.5 AS wage, 'a' AS sector, true AS day"],
    ["day", "1.5 AS wage, 'a' AS sector, TIME '10:00:00' AS day"],
  ])(
    "of %s is refused: every value would be NULL, or spelled in DuckDB's own way",
    async (column, values) => {
      const policyText = people("people.parquet").replace("columns: {", "columns: { day: { type: date },");
      house = fixture(column === "day" ? policyText : people("people.parquet"));
      await house.prepare(`COPY (SELECT ${values}) TO '$DIR/people.parquet'`);
      engine = await openDuckDb(house);
      await expect(engine.storage("people")).rejects.toMatchObject({
        code: "engine.schema",
        fields: { column },
      });
    },
  );
});

describe("after opening", () => {
  const forbidden = [
    "SELECT * FROM read_csv('$DIR/other.csv')",
    "SELECT * FROM read_text('$DIR/other.csv')",
    "SELECT * FROM read_parquet('$DIR/other.parquet')",
    "SELECT * FROM '$DIR/other.parquet'",
    "SELECT * FROM glob('/*')",
    "ATTACH '$DIR/new.duckdb'",
    "ATTACH '$DIR/p.duckdb' AS again (READ_WRITE)",
    "COPY people TO '$DIR/out.csv'",
    "COPY people TO '$DIR/people.parquet'",
    "EXPORT DATABASE '$DIR/out'",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET memory_limit = '100GB'",
    "SET allowed_paths = ['/']",
    "RESET threads",
    "LOAD httpfs",
    "LOAD '$DIR/other.csv'",
    "INSTALL httpfs",
    "INSERT INTO p.main.t VALUES (1)",
    "DROP TABLE p.main.t",
    "CREATE PERSISTENT SECRET s (TYPE s3)",
  ];

  test("nothing else can be read, written, loaded or set", async () => {
    house = fixture(
      `${people("people.parquet")}\nt: { file: p.duckdb, unit: row, columns: { a: { type: integer } } }`,
    );
    house.write("other.csv", "a\n1\n");
    await house.prepare(
      `COPY (${twoRows}) TO '$DIR/people.parquet'`,
      `COPY (${twoRows}) TO '$DIR/other.parquet'`,
      "ATTACH '$DIR/p.duckdb' AS p",
      "CREATE TABLE p.t AS SELECT 1 AS a",
      "DETACH p",
    );
    engine = await openDuckDb(house);
    expect((await engine.storage("t")).relation).toEqual(["p", "main", "t"]);
    for (const statement of forbidden) {
      const before = house.logged.length;
      const sql = statement.replaceAll("$DIR", house.baseDirectory);
      await expect(engine.run(compiled(sql, 0, 0)), statement).rejects.toMatchObject({
        code: "engine.failed",
      });
      // It failed in the database, for the right reason, and not because the columns did not fit.
      expect(house.logged.slice(before).join(), statement).toMatch(
        /disabled (by|through) configuration|configuration has been locked|read-only mode|already attached/,
      );
    }
    expect(await sumsOf("SELECT 0, count(*) FROM people")).toEqual([2n]);
  });

  test("the caps are in force", async () => {
    house = fixture(people("people.parquet"));
    await house.prepare(`COPY (${twoRows}) TO '$DIR/people.parquet'`);
    engine = await openDuckDb(house);
    const settings = ["memory_limit", "threads", "preserve_insertion_order", "autoload_known_extensions"];
    const sql = `SELECT name, value, 0 FROM duckdb_settings() WHERE name IN (${settings.map((name) => `'${name}'`).join()})`;
    const rows = unseal(await engine.run(compiled(sql, 2, 0)));
    expect(Object.fromEntries(rows.groups.map(({ key }) => [key[0], key[1]]))).toEqual({
      memory_limit: "512.0 MiB",
      threads: "2",
      preserve_insertion_order: "false",
      autoload_known_extensions: "false",
    });
  });
});

const endless = "SELECT 0, count(*) FROM range(100000000000) t(i) WHERE i % 7 = 3";

describe("limits", () => {
  test("a statement past its time fails like any other", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb({ ...house, limits: { ...house.limits, timeoutMs: 400 } });
    await expect(engine.run(compiled(endless, 0, 1))).rejects.toMatchObject({ code: "engine.failed" });
    expect(house.logged.join()).toMatch(/interrupt/i);
    // The next one has its own time.
    expect(await sumsOf("SELECT 0, 5")).toEqual([5n]);
  });

  test("an answer that is being read past its time fails, and is never a smaller one", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb({ ...house, limits: { ...house.limits, timeoutMs: 200, maxGroups: 1e12 } });
    const rows = "SELECT i, 1 FROM range(100000000000) t(i)";
    await expect(engine.run(compiled(rows, 1, 0))).rejects.toMatchObject({ code: "engine.failed" });
    expect(house.logged.at(-1)).toMatch(/broke off|interrupt/i);
  });

  test("closing interrupts what runs", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb(house);
    const running = engine.run(compiled(endless, 0, 1)).catch((error: unknown) => error);
    await new Promise((done) => setTimeout(done, 20));
    await engine.close();
    expect(await running).toMatchObject({ code: "engine.failed" });
    await engine.close();
  });

  test("no limit that is no number is taken", async () => {
    house = fixture(people("gone.parquet"));
    for (const limits of [
      { memory: Number.NaN },
      { threads: 0 },
      { timeoutMs: 1.5 },
      { timeoutMs: 2 ** 31 },
      { maxGroups: -1 },
    ]) {
      await expect(openDuckDb({ ...house, limits })).rejects.toMatchObject({ code: "parameter.invalid" });
    }
  });

  test("more groups than fit are one constant failure", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb({ ...house, limits: { ...house.limits, maxGroups: 10_000 } });
    expect(
      unseal(await engine.run(compiled("SELECT i, 0, i FROM range(10000) t(i)", 1, 1))).groups.length,
    ).toBe(10_000);
    const sql = "SELECT i, 0, i FROM range(10001) t(i)";
    await expect(engine.run(compiled(sql, 1, 1))).rejects.toMatchObject({ code: "engine.failed" });
  });

  test("the seed is bound as text, never written into SQL", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb({ ...house, policy: policyOf(people("gone.parquet")), seed: "it's" });
    const rows = unseal(await engine.run(compiled("SELECT $1 || '!', 1", 1, 0, true)));
    expect(rows.groups[0]!.key).toEqual(["it's!"]);
  });
});

describe("opening", () => {
  test("removes the drafts that dead processes left", async () => {
    house = fixture(people("gone.parquet"));
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    const own = ownedFolder(join(house.stateDirectory, "snapshots"), "draft");
    const left = own.path.replace(`draft-${process.pid}-`, `draft-${gone}-`);
    renameSync(own.path, left);
    engine = await openDuckDb(house);
    expect(existsSync(left)).toBe(false);
  });

  test("that fails leaves no folder behind and says why, whatever failed", async () => {
    house = fixture(people("text.parquet"));
    house.write("text.parquet", "no Parquet");
    const log = (): never => {
      throw new Error("the log is full");
    };
    await expect(openDuckDb({ ...house, log })).rejects.toThrow("the log is full");
    expect(readdirSync(house.path("spill"))).toEqual([]);
  });

  test("takes a folder for what spills, and closing removes it", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb(house);
    expect(readdirSync(house.path("spill")).length).toBe(1);
    await engine.close();
    expect(readdirSync(house.path("spill"))).toEqual([]);
  });

  test("without limits of the owner's keeps to the usual ones, and spills below the state folder", async () => {
    house = fixture(people("gone.parquet"));
    const { limits: _, ...others } = house;
    engine = await openDuckDb(others);
    expect(readdirSync(join(house.stateDirectory, "spill")).length).toBe(1);
    const sql = "SELECT value, 0 FROM duckdb_settings() WHERE name = 'threads'";
    expect(unseal(await engine.run(compiled(sql, 1, 0))).groups[0]!.key).toEqual([
      `${availableParallelism()}`,
    ]);
  });
});

describe("an open engine", () => {
  test("looks at a file again with each question, for the owner may replace it", async () => {
    house = fixture(people("people.parquet"));
    await house.prepare(`COPY (${twoRows}) TO '$DIR/people.parquet'`);
    engine = await openDuckDb(house);
    expect((await engine.storage("people")).layout).toBe("raw");
    await house.prepare("COPY (SELECT 'a' AS sector) TO '$DIR/people.parquet'");
    await expect(engine.storage("people")).rejects.toMatchObject({ code: "engine.schema" });
  });

  test("asks a table that the policy does not name under no circumstances, and says so", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb(house);
    for (const table of ["nobody", "constructor"])
      await expect(engine.storage(table)).rejects.toMatchObject({
        code: "query.unknown-table",
        message: `the policy has no table ${table}`,
        fix: "ask a table that the policy names",
        fields: { table },
      });
  });

  test("gives each connection back, whether a question is answered, refused or fails", async () => {
    house = fixture(people("people.parquet"));
    await house.prepare(`COPY (${twoRows}) TO '$DIR/people.parquet'`);
    engine = await openDuckDb(house);
    for (let turn = 0; turn < 3; turn += 1) {
      await engine.storage("people");
      await engine.run(compiled("SELECT 1", 0, 0));
      await expect(engine.run(compiled("SELECT x", 0, 0))).rejects.toMatchObject({ code: "engine.failed" });
    }
    // The one that asks, and nobody else.
    expect(await sumsOf("SELECT 0, count FROM duckdb_connection_count()")).toEqual([1n]);
  });

  test("begins nothing once it is being closed", async () => {
    house = fixture(people("people.parquet"));
    await house.prepare(`COPY (${twoRows}) TO '$DIR/people.parquet'`);
    engine = await openDuckDb(house);
    const running = engine.run(compiled(endless, 0, 1)).catch((error: unknown) => error);
    const closing = engine.close();
    const refusal = { code: "internal.invariant", message: "the engine was asked after it was closed" };
    await expect(engine.storage("people")).rejects.toMatchObject(refusal);
    await closing;
    // It waited for what ran.
    await new Promise(setImmediate);
    expect(house.logged.join()).toMatch(/interrupt/i);
    expect(await running).toMatchObject({ code: "engine.failed" });
    await expect(engine.storage("people")).rejects.toMatchObject(refusal);
    await expect(engine.run(compiled("SELECT 1", 0, 0))).rejects.toMatchObject({ code: "engine.failed" });
    expect(house.logged.at(-1)).toBe("the engine was asked after it was closed");
  });

  test("refuses what was compiled for another database, and tells its owner", async () => {
    house = fixture(people("gone.parquet"));
    engine = await openDuckDb(house);
    const query = { ...compiled("SELECT 1", 0, 0), dialect: "postgres" };
    await expect(engine.run(query)).rejects.toMatchObject({
      code: "engine.failed",
      message: "the database could not answer; details are in the owner's log",
      fix: "ask the owner of the data",
    });
    expect(house.logged.at(-1)).toBe("compiled for postgres");
  });
});
