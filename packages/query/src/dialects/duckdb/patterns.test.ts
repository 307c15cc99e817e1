import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/stored/compile-expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { patternedExpressions, patternedTexts, stubborn } from "../testing/patterned.ts";
import { duckdb } from "./index.ts";

const reader = { value: () => "texts.t", compared: () => null };

describe("patterns on DuckDB", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    const written = [...patternedTexts.map(duckdb.text), "NULL"];
    await connection.run(
      `CREATE TABLE texts AS SELECT unnest(range(${written.length})) AS place, unnest([${written.join(", ")}]) AS t`,
    );
  });
  afterAll(() => connection.closeSync());

  it.each(patternedExpressions)("%s", async (_, expression) => {
    const sql = `SELECT ${compileExpression(expression, reader, duckdb)} AS value FROM texts ORDER BY place`;
    const values = (await connection.runAndReadAll(sql)).getRows().map(([value]) => value);
    expect(values).toEqual([...patternedTexts, null].map((t) => evaluate(expression, { t })));
  });

  it.each(stubborn)("%s take no second", async (_, expression, text) => {
    const sql = `SELECT ${compileExpression(expression, { ...reader, value: () => "t" }, duckdb)} FROM (SELECT ${duckdb.text(text)} AS t)`;
    const start = performance.now();
    await connection.runAndReadAll(sql);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
