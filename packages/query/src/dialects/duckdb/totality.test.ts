import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/stored/compile-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { anyText, call, column, computed, isClose, literal, numbers, texts } from "../testing/ends.ts";
import { duckdb } from "./index.ts";

/* Every operator at the ends of the doubles, where DuckDB raises or overflows: it gives what the reference gives. */

describe("operators at the ends of their domains on DuckDB", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    const list = numbers.map((each) => (each === null ? "NULL" : duckdb.double(each)));
    await connection.run(`CREATE TABLE xs AS SELECT unnest([${list.join(", ")}]) AS x`);
    await connection.run("CREATE TABLE ends AS SELECT a.x, b.x AS y FROM xs AS a, xs AS b");
    const written = texts.map((each) => (each === null ? "NULL" : duckdb.text(each)));
    await connection.run(
      `CREATE TABLE texts AS SELECT unnest(range(${texts.length})) AS place, unnest([${written.join(", ")}]) AS t`,
    );
  });
  afterAll(() => connection.closeSync());

  async function agrees(expression: Expression, tolerance = 0, table = "ends"): Promise<void> {
    const reader = {
      value: ({ name }: { readonly name: string }) => `${table}.${name}`,
      compared: () => null,
    };
    const sql = `SELECT *, ${compileExpression(expression, reader, duckdb)} AS value FROM ${table}`;
    const rows = (await connection.runAndReadAll(sql)).getRowObjects();
    expect(rows.length).toBeGreaterThan(30);
    for (const { value, place, ...cells } of rows) {
      // Read here by its place, for the client drops a byte order mark that a text begins with.
      const row = place === undefined ? (cells as Record<string, number>) : { t: texts[Number(place)]! };
      const expected = evaluate(expression, row) as number | null;
      if (isClose(value as number | null, expected, tolerance)) continue;
      expect.fail(`${JSON.stringify(expression)} of ${JSON.stringify(row)} is ${value}, not ${expected}`);
    }
  }

  it.each(["+", "-", "*", "/", "%", "least", "greatest", "nullif", "coalesce"] as const)(
    "x %s y",
    async (operator) => {
      await agrees(call(operator, column("x"), column("y")));
      await agrees(call(operator, computed("x"), computed("y")));
      for (const constant of [0.1, -7, 1e300, 5e-324])
        await agrees(call(operator, column("x"), literal(constant)), 0, "xs");
    },
  );

  it.each([
    ...(["negate", "abs", "sign", "floor", "ceil", "trunc", "round", "sqrt"] as const),
    ...(["to-integer", "to-boolean"] as const),
  ])("%s", async (operator) => {
    await agrees(call(operator, column("x")), 0, "xs");
    await agrees(call(operator, computed("x")), 0, "xs");
  });

  it.each(["ln", "log10", "exp"] as const)("%s", (operator) =>
    agrees(call(operator, column("x")), 1e-14, "xs"),
  );

  it("powers", async () => {
    for (const y of [-1074, -3, -1, -0.5, 0, 0.1, 0.5, 1, 2, 2.5, 300, 1e300])
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
    for (let digits = -12; digits <= 12; digits += 3)
      await agrees(call("round", column("x"), literal(digits)), 0, "xs");
    const bounded: Expression = {
      kind: "column",
      name: "x",
      domain: { ...column("x").domain, bounds: [0, 1e305] } as never,
    };
    await agrees(call("round", bounded, literal(12)), 0, "xs");
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
});
