import { askTrino, freshTable, hasTrino, type TrinoCell } from "@lethe/testing";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/stored/compile-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { anyExpression, columns, onGrids, row } from "../../resolve/testing/random-expressions.ts";
import { resolvedSum } from "../../resolve/testing/resolved-sum.ts";
import { trino } from "./index.ts";

/*
 * Random expressions over random clean rows: Trino never raises, and gives what the reference gives, as DuckDB and PostgreSQL do
 * (../postgres/expressions.test.ts). EXPRESSIONS asks for more of them.
 */

const runs = Number(process.env.EXPRESSIONS ?? 160);
const seed = Number(process.env.EXPRESSIONS_SEED ?? 5);

type Row = Readonly<Record<string, TrinoCell>>;

const types = {
  number: "double",
  integer: "double",
  text: "text",
  boolean: "boolean",
  date: "double",
  timestamp: "double",
} as const;

/** Libraries' logarithms differ in the last bits; what case becomes of letters beyond ASCII is each engine's own. */
const approximate = new Set(["ln", "log10", "exp", "power", "lower", "upper", "initcap"]);
/** Trino's dialect refuses these: its regular expressions have no bound on their time. */
const refused = new Set(["matches", "regexp_extract", "regexp_replace"]);

function uses(expression: Expression, operators: ReadonlySet<string>): boolean {
  if (expression.kind === "case")
    return (
      expression.branches.some(({ when, then }) => uses(when, operators) || uses(then, operators)) ||
      uses(expression.otherwise, operators)
    );
  return (
    expression.kind === "call" &&
    (operators.has(expression.operator) || expression.args.some((arg) => uses(arg, operators)))
  );
}

const plain = (value: unknown): unknown => (value === 0 ? 0 : value);
const reader = {
  value: ({ name }: { readonly name: string }) => `source.${trino.identifier(name)}`,
  compared: () => null,
};

function literal(value: TrinoCell, type: string): string {
  const written =
    value === null
      ? "NULL"
      : typeof value === "number"
        ? trino.double(value)
        : typeof value === "string"
          ? trino.text(value)
          : String(value);
  return `CAST(${written} AS ${type})`;
}

describe.skipIf(!hasTrino())("expressions on Trino (LETHE_TRINO)", () => {
  const table = freshTable("expressions");
  afterAll(() => askTrino(`DROP TABLE IF EXISTS ${table}`));

  async function load(rows: readonly Row[]): Promise<void> {
    const names = Object.keys(columns);
    const typeOf = (name: string): string => trino.types[types[columns[name]!.type]];
    const values = rows.map(
      (each, at) => `(${[at, ...names.map((name) => literal(each[name]!, typeOf(name)))].join(", ")})`,
    );
    await askTrino(`DROP TABLE IF EXISTS ${table}`);
    await askTrino(
      `CREATE TABLE ${table} AS SELECT * FROM (VALUES ${values.join(", ")}) AS t(place, ${names.map(trino.identifier).join(", ")})`,
    );
  }

  /** Compares each expression on each row with the reference; gives how many values it compared. */
  async function compare(expressions: readonly Expression[], rows: readonly Row[]): Promise<number> {
    let compared = 0;
    await load(rows);
    const list = expressions.map((each, at) => `${compileExpression(each, reader, trino)} AS x${at}`);
    const found = await askTrino(`SELECT ${list.join(", ")} FROM ${table} AS source ORDER BY source.place`);
    for (const [at, expression] of expressions.entries()) {
      if (uses(expression, approximate)) continue;
      for (const [place, clean] of rows.entries()) {
        const hint = `${JSON.stringify(expression)} on ${JSON.stringify(clean)}`;
        expect(plain(found[place]![at]), hint).toEqual(plain(evaluate(expression, clean)));
        compared += 1;
      }
    }
    return compared;
  }

  it("mean on every row what they mean to the reference", async () => {
    let compared = 0;
    const written = anyExpression.filter((each) => !uses(each, refused));
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 12, maxLength: 12 }),
        fc.array(written, { minLength: 16, maxLength: 16 }),
        async (raw, expressions) => {
          compared += await compare(expressions, raw.map(onGrids) as Row[]);
        },
      ),
      { numRuns: Math.ceil(runs / 16), seed },
    );
    expect(compared).toBeGreaterThan(runs * 4);
  });

  it("mean the same where domains leave out a guard, or one of two", async () => {
    const texts = [
      "CAST(married AS double precision)",
      "CAST(member AS bigint)",
      "(wage + balance) * (age - 20)",
      "(wage * 1e-200) * (balance * 1e-200)",
      "(wage * 1e-200) / (age * 1e200)",
      "age * 1e200 * (born * 1e200)",
      '(age * 1e300) / ("Größe" * 1e-300)',
      "anything / wage * anything",
      "CASE WHEN married THEN wage ELSE anything END * COALESCE(balance, 1)",
    ];
    const expressions = await Promise.all(texts.map(resolvedSum));
    const rows = fc.sample(row, { numRuns: 200, seed }).map(onGrids) as Row[];
    expect(await compare(expressions, rows)).toBe(texts.length * rows.length);
  });
});
