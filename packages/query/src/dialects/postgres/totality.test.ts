import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/compile-expression.ts";
import type { Domain } from "../../resolve/domain.ts";
import { evaluate } from "../../resolve/evaluate.ts";
import type { Expression } from "../../resolve/expression.ts";
import type { Operator } from "../../resolve/operator.ts";
import { postgres } from "./index.ts";

/* Every operator at the ends of the doubles, where PostgreSQL raises: it gives what the reference gives. */

const unbounded: Domain = { type: "number", bounds: null, integer: false, nullable: true, values: null };
const anyText: Domain = { type: "text", nullable: true, values: null, maxLength: 4096 };

const least = 5e-324;
const ends = [
  0,
  least,
  2 * least,
  3 * least,
  2 ** -1022,
  2 ** -1022 - least,
  2 ** -1022 * 1.5,
  2 ** -538,
  2 ** -537,
  2 ** -537 * 1.25,
  2 ** -536,
  1e-160,
  1e-100,
  2 ** -52,
  0.1,
  0.3,
  0.49999999999999994,
  0.5,
  0.9999999999999999,
  1,
  1.0000000000000002,
  1.5,
  2.5,
  3,
  7,
  700,
  709.7,
  710,
  745,
  746,
  1e15,
  2 ** 52 - 0.5,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  1e100,
  2 ** 511,
  2 ** 512,
  2 ** 512 * 1.5,
  1e200,
  2 ** 1022,
  2 ** 1023,
  2 ** 1023 * 1.5,
  Number.MAX_VALUE / 2,
  Number.MAX_VALUE * (1 - 2 ** -53),
  Number.MAX_VALUE,
];
const numbers: readonly (number | null)[] = [null, ...ends, ...ends.map((x) => -x)];

const texts: readonly (string | null)[] = [
  ...[
    null,
    "",
    " ",
    "1",
    " 1",
    "+1",
    "-1.5",
    ".5",
    "5.",
    ".",
    "e5",
    "1e5",
    "1E-5",
    "1e400",
    "1e-400",
    "-1e-400",
  ],
  ...[
    "1e999",
    "-1e999",
    "1e-999",
    "0e999",
    "1e1000",
    "0x10",
    "1_0",
    "nan",
    "inf",
    "Infinity",
    "١",
    "1\n",
    "\ufeff1",
  ],
  ...[
    "9".repeat(300),
    "9".repeat(301),
    `${"9".repeat(300)}e99`,
    `.${"0".repeat(299)}1`,
    `.${"0".repeat(300)}1`,
  ],
  ...[
    `${"1".repeat(300)}.${"1".repeat(300)}e-300`,
    `${"0".repeat(301)}`,
    "4.9e-324",
    "2.4e-324",
    "1.7976931348623159e308",
  ],
];

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
    await client.query("INSERT INTO texts SELECT unnest($1::text[])", [texts]);
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  const column = (name: string): Expression => ({
    kind: "column",
    name,
    domain: name === "t" ? anyText : unbounded,
  });
  /** An operand that is no bare column, so that it is bound to a name of its own. */
  const computed = (name: string): Expression => call("negate", call("negate", column(name)));
  const literal = (value: number): Expression => ({
    kind: "literal",
    value,
    domain: {
      type: "number",
      bounds: [value, value],
      integer: Number.isSafeInteger(value),
      nullable: false,
      values: [value],
    },
  });
  const call = (operator: Operator, ...args: Expression[]): Expression => ({
    kind: "call",
    operator,
    args,
    domain: operator === "to-number" || operator === "to-integer" ? unbounded : { ...unbounded },
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

  function isClose(found: number | null, due: number | null, tolerance: number): boolean {
    if (found === due) return true;
    if (tolerance === 0) return false;
    // Next to where a power overflows, libraries may disagree about whether it does.
    if (found === null || due === null) return Math.abs(found ?? due!) > 1.79e308;
    return Math.abs(found - due) <= tolerance * Math.abs(due) + least;
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

  it.each(["negate", "abs", "sign", "floor", "ceil", "round", "sqrt", "to-integer", "to-boolean"] as const)(
    "%s",
    async (operator) => {
      await agrees(call(operator, column("x")));
      await agrees(call(operator, computed("x")));
    },
  );

  it.each(["ln", "log10", "exp"] as const)("%s", (operator) => agrees(call(operator, column("x")), 1e-14));

  it("powers", async () => {
    for (const y of [-1074, -3, -2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2, 2.5, 3, 300, 1e300])
      await agrees(call("power", column("x"), literal(y)), 1e-13);
  });

  it("round to digits", async () => {
    for (let digits = -12; digits <= 12; digits += 1)
      await agrees(call("round", column("x"), literal(digits)));
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
