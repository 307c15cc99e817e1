import { DuckDBInstance } from "@duckdb/node-api";
import {
  answerSetting,
  type CompiledQuery,
  compilePlan,
  duckdb,
  familyOf,
  noisyNumbers,
  type Plan,
  type Policy,
  postgres,
  readPolicy,
  releaseProgram,
} from "@lethe/query";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { planned } from "./planned.ts";
import { hasPostgres, startPostgres } from "./postgres/start-postgres.ts";

/* The skewness of a sample, as DuckDB defines it, from the integers of both engines. */

const policyOf = (unit: string, database: string, table: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
${database}
tables:
  people:
    ${table}
    unit: ${unit}
${unit === "row" ? "" : "    max_groups_contributed: 1\n    max_rows_contributed_per_group: 2"}
    columns:
      pid: { type: text }
      wage: { type: number, bounds: [0, 60] }
      age: { type: integer, bounds: [-1000, 1000] }
      code: { type: integer, bounds: [0, 1000000000] }
`);

const question = "SELECT SKEWNESS(wage), SKEWNESS(age), AVG(wage) FROM people";

interface Person {
  readonly pid: string;
  readonly wage: number | null;
  readonly age: number;
}

/** Long-tailed wages, one of them missing and one beyond the bounds; p0 has 40 rows more. */
const people: readonly Person[] = [
  ...Array.from({ length: 200 }, (_, at) => ({
    pid: `p${at}`,
    wage: at === 7 ? null : at === 8 ? 90 : (at % 14) ** 1.5,
    age: at % 5 === 0 ? 999 : -at,
  })),
  ...Array.from({ length: 40 }, (_, at) => ({ pid: "p0", wage: 40 + (at % 3), age: at })),
];
const values = people.map(({ pid, wage, age }) => `('${pid}', ${wage ?? "NULL"}, ${age})`).join(", ");

/** The skewness of a sample of weighted values, straight from its definition. */
function plainSkewness(weighted: readonly (readonly [value: number, weight: number])[]): number {
  const n = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  const mean = weighted.reduce((sum, [x, weight]) => sum + weight * x, 0) / n;
  const moment = (power: number): number =>
    weighted.reduce((sum, [x, weight]) => sum + weight * (x - mean) ** power, 0) / n;
  return ((Math.sqrt(n * (n - 1)) / (n - 2)) * moment(3)) / moment(2) ** 1.5;
}

/** A unit with n rows counts with 2 of them at most. */
function weighted(
  unit: string,
  read: (person: Person) => number | null,
): readonly (readonly [number, number])[] {
  const known = people.filter((person) => read(person) !== null);
  return known.map((person) => {
    const n = known.filter(({ pid }) => pid === person.pid).length;
    return [read(person)!, unit === "row" ? 1 : Math.min(n, 2) / n];
  });
}

const expected = (unit: string): readonly number[] => [
  plainSkewness(weighted(unit, ({ wage }) => (wage === null ? null : Math.min(60, wage)))),
  plainSkewness(weighted(unit, ({ age }) => age)),
];

type Run = (query: CompiledQuery) => Promise<readonly bigint[]>;

const seed = "a seed";

/** Checks the estimates of both skewnesses that an engine's sums give without noise. */
async function check(plan: Plan, sql: CompiledQuery, run: Run, unit: string): Promise<void> {
  const sums = (await run(sql)).slice(sql.keys + 1);
  const totals = releaseProgram(plan).measurements.map(({ terms }) =>
    terms.reduce((total, { column, coefficient }) => total + BigInt(coefficient) * sums[column]!, 0n),
  );
  const setting = answerSetting(plan, 0.95);
  for (const [at, due] of expected(unit).entries()) {
    const aggregate = plan.aggregates[at]!;
    const { value, lower, upper } = familyOf(aggregate).estimator(
      aggregate,
      setting,
    )(noisyNumbers(plan)(totals));
    expect(Math.abs(value - due), `${unit} ${at}`).toBeLessThan(1e-4);
    expect(lower).toBeLessThanOrEqual(due);
    expect(upper).toBeGreaterThanOrEqual(due);
  }
}

const storage = () => ({ relation: ["people"], layout: "raw" }) as const;

describe.each(["row", "pid"])("SKEWNESS, unit: %s", (unit) => {
  it("is planned with cubes of its own, and shares its other sums with AVG", async () => {
    const plan = await planned(question, policyOf(unit, "", "file: people.parquet"));
    expect(plan.measurements.map(({ name }) => name)).toEqual([
      "SUM((wage − middle)³)",
      "SUM((wage − middle)² − offset)",
      "SUM(wage − middle)",
      "COUNT(wage)",
      "SUM((age − middle)³)",
      "SUM((age − middle)² − offset)",
      "SUM(age − middle)",
      "COUNT(age)",
    ]);
    const rows = unit === "row" ? 1n : 2n;
    expect(plan.measurements[0]!.l1).toBe(`${rows * 983_040n ** 3n}`);
  });

  it("is refused where cubes may not fit the engine's integers", async () => {
    const policy = policyOf(unit, "", "file: people.parquet");
    await expect(planned("SELECT SKEWNESS(code) FROM people", policy)).rejects.toThrow("exceed 127 bits");
  });

  it("is DuckDB's own, where nothing is cut", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const reader = await connection.runAndReadAll(
      `SELECT skewness(age) FROM (VALUES ${values}) v(pid, wage, age)`,
    );
    expect(Number(reader.getRows()[0]?.[0])).toBeCloseTo(plainSkewness(people.map(({ age }) => [age, 1])), 9);
    connection.closeSync();
  });

  it("is what DuckDB's integers give", async () => {
    const plan = await planned(question, policyOf(unit, "", "file: people.parquet"));
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run("CREATE TABLE people (pid VARCHAR, wage DOUBLE, age BIGINT)");
    await connection.run(`INSERT INTO people VALUES ${values}`);
    const run: Run = async ({ sql, needsSeed }) => {
      const reader = await connection.runAndReadAll(sql, needsSeed ? [seed] : undefined);
      return reader.getRows()[0] as bigint[];
    };
    await check(plan, compilePlan(plan, storage, duckdb), run, unit);
    connection.closeSync();
  });

  it.skipIf(!hasPostgres())("is what PostgreSQL's integers give", async () => {
    const plan = await planned(
      question,
      policyOf(unit, "database: { kind: postgres }", "relation: public.people"),
    );
    const server = await startPostgres();
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE TABLE people (pid text, wage float8, age int8)");
    await client.query(`INSERT INTO people VALUES ${values}`);
    const types = { pid: "text", wage: "float8", age: "int8" };
    const run: Run = async ({ sql, needsSeed }) => {
      const { rows } = await client.query({ text: sql, values: needsSeed ? [seed] : [], rowMode: "array" });
      return (rows[0] as unknown[]).map((cell) => BigInt(cell as string));
    };
    await check(
      plan,
      compilePlan(plan, () => ({ ...storage(), types }), postgres),
      run,
      unit,
    );
    await client.end();
    await server.stop();
  });
});
