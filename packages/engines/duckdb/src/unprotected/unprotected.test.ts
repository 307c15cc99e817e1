import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, fixture } from "../testing/engine-fixture.ts";
import { type InventedTable, openUnprotected, type Unprotected } from "./unprotected.ts";

const people: InventedTable = {
  name: "people",
  columns: [
    { name: "id", type: "integer" },
    { name: "wage", type: "number" },
    { name: "name_2", type: "text" },
  ],
  rows: [[1, 1.5, "it's"], [null, null, null], [2 ** 40, 3, "7"], [4]],
};

let house: Fixture;
let naive: Unprotected | undefined;
beforeEach(() => {
  house = fixture("t: { file: t.csv, unit: row, columns: { a: { type: text } } }");
});
afterEach(() => {
  naive?.close();
  naive = undefined;
  house.remove();
});

const limits = () =>
  ({ ...house.limits, maxGroups: 10, maxValues: 100 }) as Parameters<typeof openUnprotected>[1];

describe("an unprotected database", () => {
  it("holds the rows as they were invented; a cell that a row lacks is NULL", async () => {
    naive = await openUnprotected([people], limits());
    const sql =
      "SELECT id, wage, name_2, typeof(id) AS a, typeof(wage) AS b, typeof(name_2) AS c FROM people ORDER BY rowid";
    const kinds = ["BIGINT", "DOUBLE", "VARCHAR"];
    expect(await naive.ask(sql)).toEqual({
      columns: ["id", "wage", "name_2", "a", "b", "c"],
      rows: [
        [1, 1.5, "it's", ...kinds],
        [null, null, null, ...kinds],
        [2 ** 40, 3, 7, ...kinds],
        [4, null, null, ...kinds],
      ],
    });
  });

  it("answers with numbers, texts, truths and NULL; anything else as JSON, and integers past 15 digits as texts", async () => {
    naive = await openUnprotected([], limits());
    const sql =
      "SELECT 0.5::DOUBLE, true, NULL, -12::BIGINT, 999999999999999::BIGINT, 1000000000000000::BIGINT, [1, 2], '1.5', 'a1', '-'";
    expect((await naive.ask(sql)).rows).toEqual([
      [0.5, true, null, -12, 999_999_999_999_999, "1000000000000000", "[1,2]", "1.5", "a1", "-"],
    ]);
  });

  it("writes a table of its own as Parquet", async () => {
    naive = await openUnprotected([people], limits());
    const path = house.path("it's.parquet");
    await naive.writeParquet("people", path);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const read = await connection.runAndReadAll(
      `SELECT count(*), sum(id), max(name_2) FROM '${path.replaceAll("'", "''")}'`,
    );
    expect(read.getRowsJson()).toEqual([["4", String(1 + 4 + 2 ** 40), "it's"]]);
    connection.closeSync();
  });

  it.each(["People", "1st", "a b", 'a"b', "", "a-b", "é"])(
    "takes no name but plain words, and not %j",
    async (name) => {
      const plain = { code: "parameter.invalid", fix: "use letters, digits and _" };
      await expect(openUnprotected([{ ...people, name }], limits())).rejects.toMatchObject(plain);
      const columns = [{ name, type: "text" as const }];
      await expect(openUnprotected([{ name: "t", columns, rows: [] }], limits())).rejects.toMatchObject(
        plain,
      );
      naive = await openUnprotected([people], limits());
      await expect(naive.writeParquet(name, house.path("x.parquet"))).rejects.toMatchObject(plain);
    },
  );
});
