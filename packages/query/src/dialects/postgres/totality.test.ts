import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/stored/compile-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { anyText, call, column, computed, isClose, literal, numbers, texts } from "../testing/ends.ts";
import { postgres } from "./index.ts";

/* Every operator at the ends of the doubles, where PostgreSQL raises: it gives what the reference gives. */

describe.skipIf(!hasPostgres())("operators at the ends of their domains on PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE TABLE ends (x float8, y float8, t text)");
    await client.query("CREATE TABLE texts (t text)");
    const pairs = "SELECT x, y FROM unnest($1::float8[]) AS x, unnest($1::float8[]) AS y";
    await client.query(`INSERT INTO ends ${pairs}`, [numbers]);
    await client.query("CREATE TABLE xs (x float8)");
    await client.query("INSERT INTO xs SELECT unnest($1::float8[])", [numbers]);
    await client.query("INSERT INTO texts SELECT unnest($1::text[])", [texts]);
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  /** Largest relative difference allowed; 0 for operators that every engine computes alike. */
  async function agrees(expression: Expression, tolerance = 0, table = "ends"): Promise<void> {
    const reader = {
      value: ({ name }: { readonly name: string }) => `${table}.${name}`,
      compared: () => null,
    };
    const sql = `SELECT *, ${compileExpression(expression, reader, postgres)} AS value FROM ${table}`;
    const { rows } = await client.query(sql);
    expect(rows.length).toBeGreaterThan(30);
    for (const { value, ...row } of rows) {
      const expected = evaluate(expression, row) as number | null;
      if (isClose(value, expected, tolerance)) continue;
      expect.fail(`${JSON.stringify(expression)} of ${JSON.stringify(row)} is ${value}, not ${expected}`);
    }
  }

  it.each(["+", "-", "*", "/", "%", "least", "greatest", "nullif", "coalesce"] as const)(
    "x %s y",
    async (operator) => {
      await agrees(call(operator, column("x"), column("y")));
      await agrees(call(operator, computed("x"), computed("y")));
      for (const constant of [0.1, 3, -7, 1e300, 5e-324, Number.MAX_VALUE]) {
        await agrees(call(operator, column("x"), literal(constant)));
        await agrees(call(operator, literal(constant), computed("y")));
      }
    },
  );

  it.each([
    "negate",
    "abs",
    "sign",
    "floor",
    "ceil",
    "trunc",
    "round",
    "sqrt",
    "to-integer",
    "to-boolean",
  ] as const)("%s", async (operator) => {
    await agrees(call(operator, column("x")), 0, "xs");
    await agrees(call(operator, computed("x")), 0, "xs");
  });

  it.each(["ln", "log10", "exp"] as const)("%s", (operator) =>
    agrees(call(operator, column("x")), 1e-14, "xs"),
  );

  it("powers", async () => {
    for (const y of [-1074, -3, -2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2, 2.5, 3, 300, 1e300])
      await agrees(call("power", column("x"), literal(y)), 1e-13, "xs");
  });

  it("buckets of constants, and cells among ends", async () => {
    for (const [lo, hi, count] of [
      [0, 10, 5],
      [-1, 1, 1],
      [0.1, 0.7, 6],
      [0, 1e300, 7],
      [-(2 ** -1022), 2 ** -1022, 3],
    ] as const)
      for (const x of [column("x"), computed("x")])
        await agrees(call("width_bucket", x, ...[lo, hi, count].map(literal)), 0, "xs");
    for (const ends of [
      [-4, -2, 0, 1, 2, 4],
      [0, 1],
      [-1, 0],
      [0.1, 0.3, 1e100],
      [-1e300, -1],
    ])
      for (const x of [column("x"), computed("x")])
        await agrees(call("cell-among", x, ...ends.map(literal)), 0, "xs");
  });

  it("round to digits", async () => {
    for (let digits = -12; digits <= 12; digits += 1)
      await agrees(call("round", column("x"), literal(digits)), 0, "xs");
  });

  it("texts that are numbers, or nearly", async () => {
    await agrees(call("to-number", column("t")), 0, "texts");
    await agrees(call("to-integer", column("t")), 0, "texts");
    for (const text of texts) {
      if (text === null) continue;
      const constant: Expression = { kind: "literal", value: text, domain: { ...anyText, values: [text] } };
      await agrees(call("to-number", constant), 0, "texts");
    }
  });

  it("every pair of constants", async () => {
    for (const [a, b] of [
      [1e308, 10],
      [1e-308, 1e-300],
      [5e-324, 0.5],
      [1e308, 1e-10],
      [1, 0],
      [Number.MAX_VALUE, Number.MAX_VALUE],
    ] as const)
      for (const operator of ["+", "-", "*", "/", "%"] as const)
        await agrees(call(operator, literal(a), literal(b)));
  });
});
