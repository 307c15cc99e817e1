import { DuckDBInstance } from "@duckdb/node-api";
import { numberColumn, unitColumn } from "@lethe/query";
import { expect, it } from "vitest";
import { unitNumbersDiffer } from "./unit-numbers.ts";

it.each([
  ["each unit has its own", "('a', 1), ('b', 2), ('a', 1), (NULL, NULL), (NULL, NULL)", true],
  ["there is nobody", "(NULL, NULL)", true],
  ["two units have one", "('a', 1), ('b', 2), ('c', 1)", false],
])("numbers tell units apart where %s", async (_, rows, expected) => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(`CREATE TABLE t AS FROM (VALUES ${rows}) AS t("${unitColumn}", "${numberColumn}")`);
  expect(await unitNumbersDiffer(connection, "t")).toBe(expected);
  connection.closeSync();
});
