import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyValue } from "@lethe/core/mechanisms";
import { afterEach, describe, expect, test } from "vitest";
import { unseal } from "../../../../core/src/exact/exact.ts";
import { openDuckDb } from "../open-duckdb.ts";
import { quoteRelation } from "../quote.ts";
import { compiled, type Fixture, fixture, policyOf } from "../testing/engine-fixture.ts";
import { importTable } from "./import-table.ts";
import { readManifest } from "./manifest.ts";
import { verifySnapshot } from "./verify-snapshot.ts";

let house: Fixture;
afterEach(() => house.remove());

/** The snapshot's rows, in any order. */
async function rowsOf(table: string, columns: readonly string[]): Promise<readonly (readonly KeyValue[])[]> {
  const engine = await openDuckDb(house);
  try {
    const { relation, layout } = await engine.storage(table);
    expect(layout).toBe("snapshot");
    const sql = `SELECT ${columns.join(", ")}, 0 FROM ${quoteRelation(relation)} ORDER BY ALL`;
    return unseal(await engine.run(compiled(sql, columns.length, 0))).groups.map(({ key }) => key);
  } finally {
    await engine.close();
  }
}

const snapshots = (): string[] => readdirSync(join(house.stateDirectory, "snapshots"));
const columns = `columns: { wage: { type: number, bounds: [0, 64] }, n: { type: integer, bounds: [-5, 5], default: 0 }, sector: { type: text, categories: [a, b] } }`;
const people = (file = "people.csv"): string => `people: { file: ${file}, unit: row, ${columns} }`;
// 64 has 2^20 … 2^21 levels: step 2^-14.
const step = 2 ** 14;

describe("importing a CSV", () => {
  test("gives clean, clamped grid integers, whatever the cells hold", async () => {
    house = fixture(people());
    house.write(
      "people.csv",
      "sector,wage,n,hidden\na,1.5,3,x\nb,1e9,99,x\nc,-7,-99,x\na,nan,nan,x\n,inf,,x\nb,abc,2.5,x\na,,1e400,x\n",
    );
    const report = await importTable({ ...house, table: "people" });
    // Of wages nan, inf and abc, of sectors c; what n cannot be is its default.
    expect(report).toMatchObject({
      table: "people",
      rows: 7,
      lost: [
        { column: "wage", values: 3 },
        { column: "sector", values: 1 },
      ],
    });
    const rows = await rowsOf("people", ["wage", "n", "sector"]);
    expect(rows.length).toBe(7);
    expect(rows).toContainEqual([BigInt(1.5 * step), 3n, "a"]);
    expect(rows).toContainEqual([BigInt(64 * step), 5n, "b"]);
    expect(rows).toContainEqual([0n, -5n, null]);
    expect(rows).toContainEqual([null, 0n, "a"]);
    expect(rows).toContainEqual([null, 0n, null]);
  });

  test("names no column that lost nothing, though some of its cells are empty", async () => {
    house = fixture(people());
    house.write("people.csv", "wage,n,sector\n1,1,a\n,2,\nword,3,b\n");
    const { lost } = await importTable({ ...house, table: "people" });
    expect(lost).toEqual([{ column: "wage", values: 1 }]);
  });

  test("loses no value of a table whose columns all have a default, for none can be NULL", async () => {
    house = fixture(
      "people: { file: people.csv, unit: row, columns: { n: { type: integer, bounds: [-5, 5], default: 0 } } }",
    );
    house.write("people.csv", "n\n3\nword\n");
    expect(await importTable({ ...house, table: "people" })).toMatchObject({ rows: 2, lost: [] });
    expect(await rowsOf("people", ["n"])).toEqual([[0n], [3n]]);
  });

  test("an open quote, which would swallow the rows behind it, refuses the file and freezes nothing", async () => {
    house = fixture(people());
    house.write("people.csv", 'wage,n,sector\n1,1,a\n31337,1,"a\n3,1,a\n4,1,"b"\n');
    const refusal = await importTable({ ...house, table: "people" }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "engine.source", fields: { table: "people", line: 3 } });
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain("31337");
    expect(snapshots()).toEqual([]);
  });

  test("follows the policy's marks, and reads a file without header by the policy's order", async () => {
    house = fixture(
      `people: { file: people.csv, csv: { delimiter: ";", quote: "'", header: false }, unit: row, ${columns} }`,
    );
    house.write("people.csv", "\ufeff1;2;'a'\n3;4;b\n");
    await importTable({ ...house, table: "people" });
    expect(await rowsOf("people", ["wage", "n", "sector"])).toEqual([
      [BigInt(step), 2n, "a"],
      [BigInt(3 * step), 4n, "b"],
    ]);
  });

  test("stores integers of 32 bits, and no NULLs where the policy has a default", async () => {
    house = fixture(people());
    house.write("people.csv", "wage,n,sector\n1,1,a\n");
    const { manifest } = await importTable({ ...house, table: "people" });
    expect(Object.fromEntries(manifest.columns.map(({ name, type }) => [name, type]))).toMatchObject({
      wage: "INTEGER",
      n: expect.stringMatching(/^(INTEGER|SMALLINT|TINYINT)$/),
    });
    const engine = await openDuckDb(house);
    const { relation } = await engine.storage("people");
    const sql = `SELECT column_name, is_nullable, 0 FROM (DESCRIBE ${quoteRelation(relation)}) t(column_name, column_type, is_nullable, k, d, e)`;
    const nullable = unseal(await engine.run(compiled(sql, 2, 0))).groups.map(({ key }) => key);
    await engine.close();
    expect(Object.fromEntries(nullable)).toMatchObject({ wage: "YES", n: "NO" });
  });

  test("a column that the file lacks is named, and nothing is left behind", async () => {
    house = fixture(people());
    house.write("people.csv", "wage,sector\n31337,a\n");
    const refusal = await importTable({ ...house, table: "people" }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "engine.schema", fields: { column: "n" } });
    expect(snapshots()).toEqual([]);
    await expect(importTable({ ...house, table: "nobody" })).rejects.toMatchObject({
      code: "query.unknown-table",
    });
  });

  test("a failure in the database tells the log what happened, and its caller nothing", async () => {
    house = fixture(people());
    house.write("people.csv", `wage,n,sector\n${"31337,1,a\n".repeat(10)}`);
    const limits = { ...house.limits, memory: 1 };
    const refusal = await importTable({ ...house, limits, table: "people" }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "engine.source",
      message: "people.csv could not be imported; details are in the owner's log",
      fix: "read the log; lack of memory or disk is helped by more of it",
      fields: { table: "people", file: "people.csv" },
    });
    expect(JSON.stringify(refusal)).not.toContain("31337");
    expect(house.logged.join()).toMatch(/memory/i);
    for (const line of house.logged) expect(line).toMatch(/^people: /);
    expect([snapshots(), readdirSync(house.path("spill"))]).toEqual([[], []]);
  });
});

describe("importing other sources", () => {
  test("Parquet and .duckdb are frozen by the same rules, and read by their snapshot from then on", async () => {
    house = fixture(`${people("people.parquet")}\nstaff: { file: s.duckdb, unit: row, ${columns} }`);
    const select =
      "SELECT 'nan'::DOUBLE AS wage, 7::HUGEINT AS n, 'a' AS sector UNION ALL SELECT 1.5, NULL, 'z'";
    await house.prepare(
      `COPY (${select}) TO '$DIR/people.parquet'`,
      "ATTACH '$DIR/s.duckdb' AS s",
      `CREATE TABLE s.staff AS ${select}`,
      "DETACH s",
    );
    for (const table of ["people", "staff"]) {
      await importTable({ ...house, table });
      expect(await rowsOf(table, ["wage", "n", "sector"])).toEqual([
        [BigInt(1.5 * step), 0n, null],
        [null, 5n, "a"],
      ]);
    }
  });

  test("numbers round half to even, clamp to their bounds and match categories in every native type", async () => {
    const kinds = ["BIGINT", "TINYINT", "UBIGINT", "HUGEINT", "DOUBLE", "DECIMAL(9, 2)", "VARCHAR"];
    const each = kinds.map((_, at) => `c${at}: { type: integer, categories: [1, 2, 3, 9] }`).join(", ");
    house = fixture(
      `t: { file: t.parquet, unit: row, columns: { x: { type: number, bounds: [-64, 64] }, ${each}, half: { type: integer, categories: [1, 2, 3, 4] } } }`,
    );
    const grid = 2 ** 13;
    const numbers: readonly (readonly [raw: string, stored: number | null])[] = [
      ["64", 64 * grid],
      ["64.00001", 64 * grid],
      ["1e300", 64 * grid],
      ["-1e300", -64 * grid],
      ["1e15", 64 * grid],
      ["'nan'", null],
      ["'-inf'", null],
      ["NULL", null],
      [`${0.5 / grid}`, 0],
      [`${1.5 / grid}`, 2],
      [`${-2.5 / grid}`, -2],
    ];
    const rows = numbers.map(([raw]) => `(${raw}::DOUBLE)`).join(", ");
    const casts = kinds.map((kind, at) => `CAST(9 AS ${kind}) AS c${at}`).join(", ");
    await house.prepare(
      `COPY (SELECT x, ${casts}, 2.5 AS half FROM (VALUES ${rows}) v(x)) TO '$DIR/t.parquet'`,
    );
    await importTable({ ...house, table: "t" });
    const stored = await rowsOf("t", ["x"]);
    const sorted = numbers.map(([, value]) => value).sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
    expect(stored.map(([x]) => (x === null ? null : Number(x)))).toEqual(sorted);
    const categories = await rowsOf("t", [...kinds.map((_, at) => `c${at}`), "half"]);
    expect(categories[0]).toEqual([...kinds.map(() => 9n), 2n]);
  });

  test("rows of a unit lie together", async () => {
    house = fixture(
      "visits: { file: v.parquet, unit: who, columns: { who: { type: text }, n: { type: integer } } }",
    );
    await house.prepare(
      "COPY (SELECT CASE WHEN i % 50 < 49 THEN 'u' || (i % 50) END AS who, i AS n FROM range(5000) t(i)) TO '$DIR/v.parquet'",
    );
    await importTable({ ...house, table: "visits" });
    const engine = await openDuckDb(house);
    const relation = quoteRelation((await engine.storage("visits")).relation);
    const changes = `SELECT 0, count(*) FROM (SELECT who, lag(who) OVER (ORDER BY rowid) AS before FROM ${relation}) WHERE who IS DISTINCT FROM before`;
    const rows = unseal(await engine.run(compiled(changes, 0, 1)));
    await engine.close();
    expect(rows.groups[0]!.sums).toEqual([50n]);
  });
});

describe("the report of an import", () => {
  const visits = (more = ""): string =>
    `visits: { file: v.csv, unit: who, max_groups_contributed: 1, max_rows_contributed_per_group: 2, ${more}columns: { who: { type: text }, g: { type: text, categories: [a, b] } } }`;
  const rows = "who,g\np,a\np,a\np,a\np,b\nq,b\nr,a\nr,b\n,a\n";

  test("says what a snapshot is of, where it lies and what is in it", async () => {
    house = fixture(visits());
    house.write("v.csv", rows);
    const { path, ...report } = await importTable({ ...house, table: "visits" });
    const { manifest } = report;
    expect(path).toBe(join(house.stateDirectory, "snapshots", manifest.file));
    expect(manifest).toMatchObject({ table: "visits", source: "v.csv", rows: 8, unitNumbers: true });
    expect(manifest.file).toBe(`visits-${manifest.id}.duckdb`);
    expect(manifest.bytes).toBe(statSync(path).size);
    expect(report).toMatchObject({ table: "visits", rows: 8, lost: [] });
  });

  test("says which rows the limits on a unit keep, in all and by each column of public groups", async () => {
    house = fixture(visits());
    house.write("v.csv", rows);
    // p has 4 rows, of which 2 count; by groups 2 and 1 in two groups, of which one counts: 1.5. r has one row in each of two groups.
    expect((await importTable({ ...house, table: "visits" })).kept).toEqual({
      units: 3,
      beyond: 1,
      limit: 2,
      share: 5 / 7,
      grouped: [{ column: "g", beyond: 2, share: (1.5 + 1 + 1) / 7 }],
    });
    const before = house.with(policyOf(visits("limit: rows-before-filter, ")));
    expect((await importTable({ ...before, table: "visits" })).kept).toEqual({
      units: 3,
      beyond: 1,
      limit: 2,
      share: 5 / 7,
      grouped: [],
    });
  });

  test("names no column whose limits nobody is beyond, and keeps all of no rows", async () => {
    house = fixture(visits());
    house.write("v.csv", "who,g\np,a\nq,b\n");
    const all = { units: 2, beyond: 0, limit: 2, share: 1, grouped: [] };
    expect((await importTable({ ...house, table: "visits" })).kept).toEqual(all);
    house.write("v.csv", "who,g\n");
    expect((await importTable({ ...house, table: "visits" })).kept).toEqual({ ...all, units: 0 });
  });

  test("has no word of limits where a row is a unit, or another table says whose it is", async () => {
    house = fixture(`${people()}
visits: { file: v.csv, unit: who, key: v, columns: { who: { type: text }, v: { type: text } } }
notes: { file: n.csv, unit: { through: v, references: visits.v }, columns: { v: { type: text }, n: { type: integer } } }`);
    house.write("people.csv", "wage,n,sector\n1,1,a\n");
    house.write(
      "n.csv",
      `v,n\n${Array.from({ length: 400 }, (_, i) => `v${(i * 7) % 20},${i}`).join("\n")}\n`,
    );
    const person = await importTable({ ...house, table: "people" });
    expect([person.kept, person.manifest.unitNumbers]).toEqual([null, false]);
    const notes = await importTable({ ...house, table: "notes" });
    expect([notes.kept, notes.manifest.unitNumbers]).toEqual([null, false]);
    // What belongs to one row of the other table lies together.
    const engine = await openDuckDb(house);
    const relation = quoteRelation((await engine.storage("notes")).relation);
    const changes = `SELECT 0, count(*) FROM (SELECT v, lag(v) OVER (ORDER BY rowid) AS before FROM ${relation}) WHERE v IS DISTINCT FROM before`;
    const changed = unseal(await engine.run(compiled(changes, 0, 1)));
    await engine.close();
    expect(changed.groups[0]!.sums).toEqual([20n]);
  });
});

describe("an import that is refused", () => {
  test("says which table the policy lacks", async () => {
    house = fixture(people());
    for (const table of ["nobody", "toString"])
      await expect(importTable({ ...house, table })).rejects.toMatchObject({
        code: "query.unknown-table",
        message: `the policy has no table ${table}`,
        fix: "name a table of the policy",
        fields: { table },
      });
  });

  test("meets a view that the policy does not vouch for, or a column of another type", async () => {
    const staff = `people: { file: s.duckdb, relation: seen, unit: row, ${columns} }`;
    house = fixture(staff);
    await house.prepare(
      "ATTACH '$DIR/s.duckdb' AS s",
      "CREATE VIEW s.seen AS SELECT 1.5 AS wage, 1 AS n, 'a' AS sector",
      "CREATE TABLE s.people AS SELECT DATE '2020-01-01' AS wage, 1 AS n, 'a' AS sector",
      "DETACH s",
    );
    await expect(importTable({ ...house, table: "people" })).rejects.toMatchObject({
      code: "engine.untrusted",
    });
    const own = house.with(policyOf(staff.replace("relation: seen, ", "")));
    await expect(importTable({ ...own, table: "people" })).rejects.toMatchObject({
      code: "engine.schema",
      fields: { table: "people", column: "wage" },
    });
    const vouched = house.with(policyOf(staff.replace("unit:", "trusted: true, unit:")));
    expect((await importTable({ ...vouched, table: "people" })).rows).toBe(1);
  });
});

describe("a snapshot", () => {
  test("answers only under the policy it was made by", async () => {
    house = fixture(people());
    house.write("people.csv", "wage,n,sector\n1,1,a\n");
    await importTable({ ...house, table: "people" });
    const open = async (tables: string): Promise<unknown> => {
      const engine = await openDuckDb({ ...house, policy: policyOf(tables) });
      const storage = await engine.storage("people").catch((error: unknown) => error);
      await engine.close();
      return storage;
    };
    for (const [from, to] of [
      ["[0, 64]", "[0, 65]"],
      ["[a, b]", "[a, c]"],
      ["default: 0", "default: 1"],
    ] as const) {
      expect(await open(people().replace(from, to))).toMatchObject({
        code: "policy.changed",
        fix: "lethe import people.csv",
      });
    }
    expect(await open(people().replace("unit: row,", "unit: row, expected_rows: 9,"))).toMatchObject({
      layout: "snapshot",
    });
  });

  test("is replaced in one step; the one before is removed, and so are old remains", async () => {
    house = fixture(people());
    house.write("people.csv", "wage,n,sector\n1,1,a\n");
    const first = await importTable({ ...house, table: "people" });
    const reader = await openDuckDb(house);
    const remains = join(house.stateDirectory, "snapshots", `people-${"0".repeat(36)}.duckdb.draft`);
    writeFileSync(remains, "");
    utimesSync(remains, 1, 1);
    house.write("people.csv", "wage,n,sector\n2,1,a\n");
    const second = await importTable({ ...house, table: "people" });
    expect(snapshots().sort()).toEqual([second.manifest.file, "people.json"].sort());
    expect(second.manifest.id).not.toBe(first.manifest.id);
    expect(await rowsOf("people", ["wage"])).toEqual([[BigInt(2 * step)]]);
    // Who opened the old one keeps reading it.
    const { relation } = await reader.storage("people");
    const rows = unseal(
      await reader.run(compiled(`SELECT 0, sum(wage) FROM ${quoteRelation(relation)}`, 0, 1)),
    );
    expect(rows.groups[0]!.sums).toEqual([BigInt(step)]);
    await reader.close();
  });

  test("is the owner's alone on disk, and is verified by its hash", async () => {
    house = fixture(people());
    house.write("people.csv", "wage,n,sector\n1,1,a\n");
    const { path, manifest } = await importTable({ ...house, table: "people" });
    expect(readManifest(house.stateDirectory, "people")).toEqual(manifest);
    expect(manifest.created).toBe("2023-11-14T22:13:20.000Z");
    expect(statSync(path).mode & 0o077).toBe(0);
    await verifySnapshot(manifest, house.stateDirectory);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(path, bytes);
    await expect(verifySnapshot(manifest, house.stateDirectory)).rejects.toMatchObject({
      code: "engine.source",
    });
    writeFileSync(path, bytes.subarray(1));
    const engine = await openDuckDb(house);
    await expect(engine.storage("people")).rejects.toMatchObject({ code: "engine.source" });
    await engine.close();
  });

  test("is open in several processes at once", async () => {
    house = fixture(people());
    house.write("people.csv", "wage,n,sector\n1,1,a\n");
    const { path } = await importTable({ ...house, table: "people" });
    const script = `
      import { DuckDBInstance } from "@duckdb/node-api";
      const connection = await (await DuckDBInstance.create(":memory:")).connect();
      await connection.run("ATTACH '${path}' AS s (READ_ONLY)");
      console.log("attached");
      process.stdin.on("data", () => process.exit(0));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
      cwd: import.meta.dirname,
    });
    await new Promise((attached) => child.stdout.once("data", attached));
    expect(await rowsOf("people", ["wage"])).toEqual([[BigInt(step)]]);
    const left = new Promise((exited) => child.once("exit", exited));
    child.stdin.write("done");
    expect(await left).toBe(0);
    expect(existsSync(path)).toBe(true);
  });
});
