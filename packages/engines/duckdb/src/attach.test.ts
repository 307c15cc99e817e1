import { mkdirSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Attachments } from "./attach.ts";
import { quoteRelation } from "./quote.ts";
import { type Fixture, fixture } from "./testing/engine-fixture.ts";

let house: Fixture;
let connection: DuckDBConnection;
let attachments: Attachments;
beforeEach(async () => {
  house = fixture("t: { file: t.duckdb, unit: row, columns: { a: { type: text } } }");
  connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  attachments = new Attachments(connection, house.log);
});
afterEach(() => {
  connection.closeSync();
  house.remove();
});

/** Makes a .duckdb file whose table `t` has this one value. */
async function database(name: string, value: number): Promise<string> {
  await house.prepare(
    `ATTACH '$DIR/${name}' AS made`,
    `CREATE TABLE made.t AS SELECT ${value} AS x`,
    "DETACH made",
  );
  return house.path(name);
}

const valueIn = async (relation: readonly string[]): Promise<unknown> =>
  (await connection.runAndReadAll(`SELECT x FROM ${quoteRelation(relation)}`)).getRows()[0]![0];

describe("a .duckdb file", () => {
  it("is attached under its own name, once for any number of tables", async () => {
    const path = await database("shop.duckdb", 1);
    const first = await attachments.database("one", path, "t");
    expect(first).toEqual({ relation: ["shop", "main", "t"], files: [path] });
    expect(await attachments.database("other", path, "hr.staff")).toEqual({
      relation: ["shop", "hr", "staff"],
      files: [path],
    });
    expect(await valueIn(first.relation)).toBe(1);
  });

  it("of a relation whose name has dots has its schema before the first of them", async () => {
    const path = await database("shop.duckdb", 1);
    const { relation } = await attachments.database("one", path, "hr.a.b");
    expect(relation).toEqual(["shop", "hr", "a.b"]);
  });

  it("has a name of its own where DuckDB or a file before has taken it, whatever the capitals", async () => {
    for (const folder of ["a", "b", "c"]) mkdirSync(house.path(folder));
    const names = ["memory", "System", "TEMP", "a/shop", "b/SHOP", "c/shop", "quo\"te's"];
    const catalogs: string[] = [];
    for (const [at, name] of names.entries()) {
      const path = await database(`${name.replace("'", "''")}.duckdb`, at).then(() =>
        house.path(`${name}.duckdb`),
      );
      const { relation } = await attachments.database("t", path, "t");
      expect(await valueIn(relation)).toBe(at);
      catalogs.push(relation[0]!);
    }
    expect(catalogs[3]).toBe("shop");
    expect(catalogs[6]).toBe("quo\"te's");
    const own = catalogs.map((name) => name.toLowerCase());
    expect(new Set([...own, "memory", "system", "temp"]).size).toBe(names.length + 3);
  });

  it("cannot be written through its attachment", async () => {
    const { relation } = await attachments.database("t", await database("shop.duckdb", 1), "t");
    await expect(connection.run(`DELETE FROM ${quoteRelation(relation)}`)).rejects.toThrow(/read-only/);
  });

  it("that is none is refused with what may be wrong; the log alone has DuckDB's words", async () => {
    house.write("text.duckdb", "31337\n".repeat(3000));
    await expect(attachments.database("t", house.path("text.duckdb"), "t")).rejects.toMatchObject({
      code: "engine.source",
      message: "the file of t is not a DuckDB database, or another process is writing to it",
      fix: "check the file; details are in the owner's log",
      fields: { table: "t" },
    });
    expect(house.logged).toEqual([expect.stringMatching(/^t: .*text\.duckdb/)]);
  });
});

describe("a Parquet file", () => {
  it("has its own columns, and none that its folder's name would make", async () => {
    mkdirSync(house.path("day=7"));
    await house.prepare("COPY (SELECT 5 AS x) TO '$DIR/day=7/p.parquet'");
    const path = house.path("day=7/p.parquet");
    const attached = await attachments.parquet('odd "name"', path);
    expect(attached).toEqual({ relation: ["memory", "main", 'odd "name"'], files: [path] });
    const read = await connection.runAndReadAll(`SELECT * FROM ${quoteRelation(attached.relation)}`);
    expect([read.columnNames(), read.getRows()]).toEqual([["x"], [[5]]]);
  });

  it("that is none is refused, and the log alone has DuckDB's words", async () => {
    house.write("p.parquet", "31337");
    await expect(attachments.parquet("p", house.path("p.parquet"))).rejects.toMatchObject({
      code: "engine.source",
      message: "the file of p is not a Parquet file",
      fields: { table: "p" },
    });
    expect(house.logged).toEqual([expect.stringMatching(/^p: .*p\.parquet/)]);
  });
});
