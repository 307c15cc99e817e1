import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileExpression } from "../../compile/stored/compile-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { anyExpression, columns, onGrids, row } from "../../resolve/testing/random-expressions.ts";
import { resolvedSum } from "../../resolve/testing/resolved-sum.ts";
import type { Dialect } from "../dialect.ts";
import { duckdb } from "../duckdb/index.ts";
import { postgres } from "./index.ts";

/*
 * Random expressions over random clean rows: PostgreSQL never raises, and gives what the reference gives and DuckDB gives.
 * EXPRESSIONS asks for more of them.
 */

const runs = Number(process.env.EXPRESSIONS ?? 160);
const seed = Number(process.env.EXPRESSIONS_SEED ?? 5);

type Scalar = string | number | boolean | null;
type Row = Readonly<Record<string, Scalar>>;

const types = {
  number: "double",
  integer: "double",
  text: "text",
  boolean: "boolean",
  date: "double",
  timestamp: "double",
} as const;

function selectOf(expressions: readonly Expression[], dialect: Dialect): string {
  const reader = {
    value: ({ name }: { readonly name: string }) => `source.${dialect.identifier(name)}`,
    compared: () => null,
  };
  const list = expressions.map((each, at) => `${compileExpression(each, reader, dialect)} AS x${at}`);
  return `SELECT ${list.join(", ")} FROM (SELECT * FROM sources ${dialect.words.fence}) AS source ORDER BY source.place`;
}

function create(dialect: Dialect, rows: readonly Row[]): string[] {
  const names = Object.keys(columns);
  const listed = names.map(
    (name) => `${dialect.identifier(name)} ${dialect.types[types[columns[name]!.type]]}`,
  );
  const literal = (value: Scalar): string =>
    value === null
      ? "NULL"
      : typeof value === "number"
        ? dialect.double(value)
        : typeof value === "string"
          ? dialect.text(value)
          : String(value);
  const values = rows.map((each, at) => `(${[at, ...names.map((name) => literal(each[name]!))].join(", ")})`);
  return [
    "DROP TABLE IF EXISTS sources",
    `CREATE TABLE sources (place integer, ${listed.join(", ")})`,
    `INSERT INTO sources VALUES ${values.join(", ")}`,
  ];
}

const approximate = new Set(["ln", "log10", "exp", "power"]);
const cased = new Set(["lower", "upper"]);

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

describe.skipIf(!hasPostgres())("expressions on PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  let duck: DuckDBConnection;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    duck = await (await DuckDBInstance.create(":memory:")).connect();
  });
  afterAll(async () => {
    await client.end();
    duck.closeSync();
    await server.stop();
  });

  /** Compares each expression on each row with the reference, on both engines; gives how many values it compared. */
  async function compare(expressions: readonly Expression[], rows: readonly Row[]): Promise<number> {
    let compared = 0;
    for (const statement of create(postgres, rows)) await client.query(statement);
    for (const statement of create(duckdb, rows)) await duck.run(statement);
    const { rows: found } = await client.query({ text: selectOf(expressions, postgres), rowMode: "array" });
    const other = (await duck.runAndReadAll(selectOf(expressions, duckdb))).getRows();
    for (const [column, expression] of expressions.entries()) {
      // Libraries' logarithms differ in the last bits, which comparisons and floors may blow up; what case becomes of
      // letters beyond ASCII is each engine's own.
      if (uses(expression, approximate) || uses(expression, cased)) continue;
      for (const [at, clean] of rows.entries()) {
        const expected = plain(evaluate(expression, clean));
        const hint = `${JSON.stringify(expression)} on ${JSON.stringify(clean)}`;
        expect(plain(found[at]![column]), hint).toEqual(expected);
        expect(plain(other[at]![column]), `DuckDB: ${hint}`).toEqual(expected);
        compared += 1;
      }
    }
    return compared;
  }

  it("mean on every row what they mean to the reference, and to DuckDB", async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 12, maxLength: 12 }),
        fc.array(anyExpression, { minLength: 8, maxLength: 8 }),
        async (raw, expressions) => {
          compared += await compare(expressions, raw.map(onGrids));
        },
      ),
      { numRuns: Math.ceil(runs / 8), seed },
    );
    expect(compared).toBeGreaterThan(runs * 4);
  });

  it("mean the same where domains leave out a guard, or one of two", async () => {
    const texts = [
      "CAST(married AS double precision)",
      "CAST(member AS bigint)",
      "(wage + balance) * (age - 20)",
      // Beyond the smallest double, but never beyond the greatest.
      "(wage * 1e-200) * (balance * 1e-200)",
      "(wage * 1e-200) / (age * 1e200)",
      // Beyond the greatest, but never beyond the smallest.
      "age * 1e200 * (born * 1e200)",
      '(age * 1e300) / ("Größe" * 1e-300)',
      "anything / wage * anything",
      "CASE WHEN married THEN wage ELSE anything END * COALESCE(balance, 1)",
    ];
    const expressions = await Promise.all(texts.map(resolvedSum));
    const rows = fc.sample(row, { numRuns: 200, seed }).map(onGrids);
    expect(await compare(expressions, rows)).toBe(texts.length * rows.length);
  });
});
