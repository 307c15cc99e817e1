import type { DuckDBConnection } from "@duckdb/node-api";
import { isEstimate, isOther, isTimeEstimate, type ReleasedCell } from "@lethe/gateway";
import {
  compilePlan,
  duckdb,
  fillReleased,
  type Plan,
  type Policy,
  questionsOf,
  releaseProgram,
  valueWithin,
} from "@lethe/query";
import { answerOver, type IntegerOf, planOver } from "./planned-over.ts";

export type Plain = string | number | boolean | null;

/**
 * Makes the table t of {@link overPolicy}: all values lie within bounds and categories, and every day, month number and category meets every other one of another column
 * in some rows, since public groups are answered whether or not they have rows.
 */
export async function makeTable(connection: DuckDBConnection): Promise<void> {
  // Where NULL stands is PostgreSQL's rule, and the same for windows.
  await connection.run("SET default_null_order = 'nulls_last_on_asc_first_on_desc'");
  await connection.run(`
    CREATE OR REPLACE TABLE t AS
    SELECT 1 + (p * 7 + day * 5 + (day * day * 3 + p * p) // 11)::INTEGER % 12 AS m,
           CASE p % 4 WHEN 0 THEN 'a' WHEN 1 THEN 'b' WHEN 2 THEN 'c' END AS g,
           DATE '2024-01-01' + day::INTEGER AS d,
           ((day * 37 + p * p * 11 + p * day) % 101)::INTEGER AS x,
           CASE WHEN (day + p) % 5 > 0 THEN ((day * 13 + p * 29) % 97)::INTEGER END AS y
    FROM range(91) days(day), range(4, 24) parts(p)
    WHERE (day * 3 + p * p + p) % 7 > 1 + p % 3`);
}

/** Returns the exact integers of a plan's measurements, group by group, as DuckDB adds them up over the tables of its policy. */
export async function exactIntegers(
  plan: Plan,
  connection: DuckDBConnection,
): Promise<(measurement: string, group: number) => bigint> {
  const compiled = compilePlan(
    plan,
    (table) => ({ relation: [table], layout: "raw", hasUnitNumbers: false }),
    duckdb,
  );
  // The seed decides which rows stay where a unit has more than it may.
  const found = await connection.runAndReadAll(compiled.sql, compiled.sql.includes("$1") ? ["seed"] : []);
  const nameOf = (key: readonly unknown[]): string =>
    JSON.stringify(key.map((part) => String(part ?? "NULL")));
  const sums = new Map<string, readonly bigint[]>();
  for (const row of found.getRows())
    sums.set(
      nameOf(row.slice(0, compiled.keys)),
      row.slice(compiled.keys + 1).map((sum) => BigInt(sum as bigint)),
    );
  const { keys, measurements } = releaseProgram(plan);
  const groups = (keys.kind === "public" ? keys.groups : [[]]).map(nameOf);
  const known = new Set(groups);
  for (const name of sums.keys()) if (!known.has(name)) throw new Error(`no group ${name}`);
  const places = new Map(plan.measurements.map(({ name }, at) => [name, at]));
  return (measurement, group) => {
    const row = sums.get(groups[group] ?? "");
    if (!row) throw new Error(`the group ${groups[group]} of ${plan.text} has no row`);
    const { terms } = measurements[places.get(measurement) ?? -1] ?? { terms: [] };
    return terms.reduce(
      (total, { column, coefficient }) => total + BigInt(coefficient) * (row[column] ?? 0n),
      0n,
    );
  };
}

/** The rows that Lethe shows of a whole question, were there no noise. */
export async function withoutNoise(
  text: string,
  connection: DuckDBConnection,
  policy?: Policy,
): Promise<{ readonly plan: Plan; readonly columns: readonly string[]; readonly rows: Plain[][] }> {
  const plan = await planOver(text, policy);
  const integers: IntegerOf[] = [];
  for (const question of questionsOf(plan))
    integers.push(await exactIntegers(withValues(plan, question, integers), connection));
  const [own, ...others] = integers;
  if (!own) throw new Error("a text asks one question at least");
  const answer = answerOver(plan, own, 0.95, others);
  const { columns, rows } = answer.over ?? answer;
  return { plan, columns: columns.map(({ name }) => name), rows: rows.map((row) => row.map(plain)) };
}

/** A question of a text with the values of the answers before it in their place. */
function withValues(
  plan: Plan,
  { others: _, over: __, ...question }: Plan,
  before: readonly IntegerOf[],
): Plan {
  if (!plan.released || before.length === 0) return question;
  const none: IntegerOf = () => 0n;
  const later = (plan.others ?? []).map((___, at) => before[at + 1] ?? none);
  const { released = [] } = answerOver(plan, before[0] ?? none, 0.95, later);
  const values = new Map(released.map(({ sql, value }) => [sql, value]));
  return fillReleased(question, ({ sql, domain }) => valueWithin(domain, values.get(sql) ?? null));
}

/** The rows that DuckDB returns for a whole question. */
export async function asked(text: string, connection: DuckDBConnection): Promise<Plain[][]> {
  const result = await connection.runAndReadAll(text);
  return result.getRowsJson().map((row) => row.map(numbered));
}

function plain(cell: ReleasedCell): Plain {
  if (isOther(cell)) return null;
  return isEstimate(cell) || isTimeEstimate(cell) ? cell.value : cell;
}

/** DuckDB writes integers of many digits and decimals as texts, and a division by 0 as no number. */
function numbered(value: unknown): Plain {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const text = String(value).replace(/ 00:00:00$/, "");
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Rows as texts that can be compared: numbers to six digits, and in any order where the question states none. */
export function written(text: string, rows: readonly (readonly Plain[])[]): readonly string[] {
  const lines = rows.map((row) => row.map(shown).join(" | "));
  return isOrdered(text) ? lines : [...lines].sort();
}

function shown(value: Plain): string {
  if (typeof value !== "number") return JSON.stringify(value);
  return Math.abs(value) < 1e-9 ? "0.00000" : value.toPrecision(6);
}

/** Whether the question itself, and not only a part in brackets, states an order. */
function isOrdered(text: string): boolean {
  let depth = 0;
  let outside = "";
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (depth === 0) outside += letter;
    if (letter === ")") depth -= 1;
  }
  return /\border\s+by\b/i.test(outside);
}
