import { askTrino, freshTable, hasTrino } from "@lethe/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/stored/compile-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { anyText, call, column, computed, isClose, literal, numbers, texts } from "../testing/ends.ts";
import { trino } from "./index.ts";

/* Every operator at the ends of the doubles, where Trino raises, overflows or is not defined: it gives what the reference gives. */

describe.skipIf(!hasTrino())("operators at the ends of their domains on Trino (LETHE_TRINO)", () => {
  const tables = { xs: freshTable("xs"), ends: freshTable("ends"), texts: freshTable("texts") };
  beforeAll(async () => {
    const list = numbers.map((each, at) => `(${at}, ${each === null ? "NULL" : trino.double(each)})`);
    await askTrino(`CREATE TABLE ${tables.xs} AS SELECT * FROM (VALUES ${list.join(", ")}) AS t(place, x)`);
    await askTrino(
      `CREATE TABLE ${tables.ends} AS SELECT a.place * ${numbers.length} + b.place AS place, a.x, b.x AS y FROM ${tables.xs} AS a CROSS JOIN ${tables.xs} AS b`,
    );
    const written = texts.map((each, at) => `(${at}, ${each === null ? "NULL" : trino.text(each)})`);
    await askTrino(
      `CREATE TABLE ${tables.texts} AS SELECT place, CAST(t AS varchar) AS t FROM (VALUES ${written.join(", ")}) AS t(place, t)`,
    );
  });
  afterAll(async () => {
    for (const table of Object.values(tables)) await askTrino(`DROP TABLE IF EXISTS ${table}`);
  });

  /** Compares expressions, many in one statement; the largest relative difference is 0 for those that every engine computes alike. */
  async function agree(
    expressions: readonly Expression[],
    tolerance = 0,
    table: keyof typeof tables = "ends",
  ): Promise<void> {
    const reader = { value: ({ name }: { readonly name: string }) => `t.${name}`, compared: () => null };
    const list = expressions.map((each, at) => `${compileExpression(each, reader, trino)} AS e${at}`);
    const rows = await askTrino(`SELECT place, ${list.join(", ")} FROM ${tables[table]} AS t`);
    expect(rows.length).toBeGreaterThan(30);
    for (const [place, ...values] of rows) {
      const at = Number(place);
      const row =
        table === "texts"
          ? { t: texts[at]! }
          : table === "xs"
            ? { x: numbers[at]! }
            : { x: numbers[Math.floor(at / numbers.length)]!, y: numbers[at % numbers.length]! };
      for (const [n, expression] of expressions.entries()) {
        const expected = evaluate(expression, row) as number | null;
        const found = values[n] as number | null;
        if (isClose(found, expected, tolerance)) continue;
        expect.fail(`${JSON.stringify(expression)} of ${JSON.stringify(row)} is ${found}, not ${expected}`);
      }
    }
  }

  it.each(["+", "-", "*", "/", "%", "least", "greatest", "nullif", "coalesce"] as const)(
    "x %s y",
    async (operator) => {
      await agree([
        call(operator, column("x"), column("y")),
        call(operator, computed("x"), computed("y")),
        call(operator, literal(0.3), computed("y")),
      ]);
      const constants = [0.1, -7, 1e300, 5e-324, Number.MAX_VALUE];
      await agree(
        constants.map((constant) => call(operator, column("x"), literal(constant))),
        0,
        "xs",
      );
    },
  );

  it("of one number", () =>
    agree(
      (
        [
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
        ] as const
      ).flatMap((operator) => [call(operator, column("x")), call(operator, computed("x"))]),
      0,
      "xs",
    ));

  it("of one number, to the last digits", () =>
    agree(
      (["ln", "log10", "exp"] as const).map((operator) => call(operator, column("x"))),
      1e-14,
      "xs",
    ));

  it("powers", () =>
    agree(
      [-1074, -3, -2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2, 2.5, 3, 300, 1e300].map((y) =>
        call("power", column("x"), literal(y)),
      ),
      1e-13,
      "xs",
    ));

  it("buckets of constants, and cells among ends", async () => {
    const buckets = [
      [0, 10, 5],
      [-1, 1, 1],
      [0.1, 0.7, 6],
      [0, 1e300, 7],
      [-(2 ** -1022), 2 ** -1022, 3],
    ];
    const ends = [
      [-4, -2, 0, 1, 2, 4],
      [0, 1],
      [-1, 0],
      [0.1, 0.3, 1e100],
      [-1e300, -1],
    ];
    for (const x of [column("x"), computed("x")])
      await agree(
        [
          ...buckets.map((each) => call("width_bucket", x, ...each.map(literal))),
          ...ends.map((each) => call("cell-among", x, ...each.map(literal))),
        ],
        0,
        "xs",
      );
  });

  it("round to digits", () =>
    agree(
      Array.from({ length: 31 }, (_, at) => call("round", column("x"), literal(at - 15))),
      0,
      "xs",
    ));

  it("texts that are numbers, or nearly", async () => {
    const constants = texts.flatMap((text): Expression[] =>
      text === null ? [] : [{ kind: "literal", value: text, domain: { ...anyText, values: [text] } }],
    );
    await agree(
      [
        call("to-number", column("t")),
        call("to-integer", column("t")),
        ...constants.map((each) => call("to-number", each)),
      ],
      0,
      "texts",
    );
  });

  it("every pair of constants", async () => {
    const pairs = [
      [1e308, 10],
      [1e-308, 1e-300],
      [5e-324, 0.5],
      [1e308, 1e-10],
      [1, 0],
      [Number.MAX_VALUE, Number.MAX_VALUE],
    ] as const;
    await agree(
      pairs.flatMap(([a, b]) =>
        (["+", "-", "*", "/", "%"] as const).map((operator) => call(operator, literal(a), literal(b))),
      ),
      0,
      "xs",
    );
  });
});
