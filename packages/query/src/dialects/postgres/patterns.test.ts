import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/stored/compile-expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { patternedExpressions, patternedTexts, stubborn } from "../testing/patterned.ts";
import { postgres } from "./index.ts";

const reader = { value: () => "texts.t", compared: () => null };

describe.skipIf(!hasPostgres())("patterns on PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE TABLE texts (place integer, t text)");
    await client.query(
      "INSERT INTO texts SELECT place, t FROM unnest($1::text[]) WITH ORDINALITY AS u(t, place)",
      [[...patternedTexts, null]],
    );
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  it.each(patternedExpressions)("%s", async (_, expression) => {
    const sql = `SELECT ${compileExpression(expression, reader, postgres)} AS value FROM texts ORDER BY place`;
    const values = (await client.query(sql)).rows.map(({ value }) => value);
    expect(values).toEqual([...patternedTexts, null].map((t) => evaluate(expression, { t })));
  });

  it.each(stubborn)("%s take no second", async (_, expression, text) => {
    const sql = `SELECT ${compileExpression(expression, { ...reader, value: () => "t" }, postgres)} FROM (SELECT $1::text AS t) AS u`;
    const start = performance.now();
    await client.query(sql, [text]);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
