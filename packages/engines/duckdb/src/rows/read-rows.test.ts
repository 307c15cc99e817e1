import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { ExactRows } from "@lethe/core/mechanisms";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../testing/engine-fixture.ts";
import { readRows } from "./read-rows.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
});
afterAll(() => connection.closeSync());

function read(sql: string, keys: number, sums: number, more: object = {}): Promise<ExactRows> {
  return readRows(connection, { ...compiled(sql, keys, sums), ...more }, "a seed", 5000);
}

const keyOf = async (sql: string, keys = 1): Promise<unknown> =>
  (await read(`SELECT ${sql}, 1`, keys, 0)).groups[0]!.key;

describe("keys", () => {
  const signed = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"];
  const unsigned = ["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"];
  it.each([...signed, ...unsigned])("of type %s are integers", async (type) => {
    expect(await keyOf(`CAST(7 AS ${type})`)).toEqual([7n]);
    expect(await keyOf(`CAST(NULL AS ${type})`)).toEqual([null]);
  });

  it.each(["FLOAT", "DOUBLE"])("of type %s are numbers, whole or not; what is none is NULL", async (type) => {
    const values = ["0.5", "7", "'-0.0'", "'nan'", "'inf'", "'-inf'", "NULL"];
    const casts = values.map((value) => `CAST(${value} AS ${type})`).join(", ");
    const key = (await keyOf(casts, values.length)) as readonly unknown[];
    expect(key).toEqual([0.5, 7, 0, null, null, null, null]);
    expect(Object.is(key[2], 0)).toBe(true);
  });

  it("are told apart by their columns where integers and doubles stand side by side", async () => {
    const key = await keyOf("CAST(2 AS DOUBLE), CAST(2 AS SMALLINT), true, 'x', CAST(0.25 AS FLOAT)", 5);
    expect(key).toEqual([2, 2n, true, "x", 0.25]);
  });

  it("that are texts keep every character, whichever of them the plan calls texts", async () => {
    const texts = ["\ufeffa", "é", ""];
    const sql = texts.map((text) => `'${text}'`).join(", ");
    for (const textKeys of [undefined, [], [0], [1, 2], [0, 1, 2]]) {
      const { groups } = await read(`SELECT ${sql}, 3, 4, 5`, 3, 2, textKeys ? { textKeys } : {});
      expect(groups).toEqual([{ key: texts, units: 3n, sums: [4n, 5n] }]);
    }
  });

  it.each(["DATE '2020-01-01'", "INTERVAL 1 DAY", "1.5::DECIMAL(3, 1)", "[1]"])(
    "that are %s fail, for they are neither text, number nor boolean",
    async (value) => {
      await expect(keyOf(value)).rejects.toThrow("a key is neither text, number nor boolean");
    },
  );
});

describe("units and sums", () => {
  it("are integers of any type, and 0 where nothing was summed", async () => {
    const { groups } = await read(
      "SELECT 2::TINYINT, NULL, 3::DOUBLE, (-(2::HUGEINT ** 100))::HUGEINT",
      0,
      3,
    );
    expect(groups).toEqual([{ key: [], units: 2n, sums: [0n, 3n, -(2n ** 100n)] }]);
  });

  it.each(["1.5::DOUBLE", "9007199254740992::DOUBLE", "'7'", "true", "1.0::DECIMAL(3, 1)"])(
    "that are %s fail, for they are no integer that is exact",
    async (value) => {
      await expect(read(`SELECT 1, ${value}`, 0, 1)).rejects.toThrow("a sum is not an integer");
      await expect(read(`SELECT ${value}`, 0, 0)).rejects.toThrow("a sum is not an integer");
    },
  );
});

describe("a result", () => {
  it("of another width than was asked fails, and says both", async () => {
    await expect(read("SELECT 1, 2", 0, 0)).rejects.toThrow("expected 1 columns, got 2");
    await expect(read("SELECT 1, 2", 1, 2)).rejects.toThrow("expected 4 columns, got 2");
  });

  it("of as many groups as may be is read whole, and one of more fails", async () => {
    const groups = async (rows: number, most: number): Promise<number> => {
      const query = compiled(`SELECT i, 1, i FROM range(${rows}) t(i)`, 1, 1);
      return (await readRows(connection, query, "", most)).groups.length;
    };
    // More than one chunk of DuckDB's, which has 2048 rows.
    expect(await groups(5000, 5000)).toBe(5000);
    await expect(groups(5001, 5000)).rejects.toThrow("more than 5000 groups");
    expect(await groups(0, 1)).toBe(0);
    await expect(groups(2, 1)).rejects.toThrow("more than 1 groups");
  });

  it("that fails behind its first rows fails whole, and gives no smaller answer", async () => {
    const failing = (at: number): Promise<ExactRows> =>
      readRows(
        connection,
        compiled(
          `SELECT CASE WHEN i = ${at} THEN error('31337') ELSE i END, 1 FROM range(150001) t(i)`,
          1,
          0,
        ),
        "",
        1e6,
      );
    expect((await failing(-1)).groups.length).toBe(150_001);
    // DuckDB gives the first rows away long before it meets the last one.
    await expect(failing(150_000)).rejects.toThrow("the result broke off: interrupted, or failed");
    await expect(failing(0)).rejects.toThrow("31337");
  });

  it("has the seed where the statement needs it", async () => {
    const { groups } = await read("SELECT $1, 1", 1, 0, { needsSeed: true });
    expect(groups[0]!.key).toEqual(["a seed"]);
  });
});
