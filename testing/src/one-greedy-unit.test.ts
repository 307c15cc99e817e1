import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { compilePlan, duckdb, type Plan, type Policy, readPolicy, releaseProgram } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planned } from "./planned.ts";

/*
 * One unit that takes all it can, through the SQL that an engine runs: in a table that is otherwise empty, what it brings to
 * all groups together is how far it moves a measurement, and that is no more than the planner derived.
 */

const policyOf = (bound: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  people:
    file: people.parquet
    unit: pid
    max_groups_contributed: 2
    max_rows_contributed_per_group: 3
    bound: ${bound}
    columns:
      pid: { type: text }
      x: { type: integer, bounds: [-2, 5] }
      y: { type: number, bounds: [1, 7] }
      h: { type: text }
`);

const aggregates =
  "COUNT(*), COUNT(y), SUM(x), SUM(y), SUM(x * y), SUM(x * x * (y - 4)), AVG(x), VARIANCE(x)";
const questions = [`SELECT ${aggregates} FROM people`, `SELECT h, ${aggregates} FROM people GROUP BY h`];

/** Four groups with nine rows each, at one end of all values. */
const rowsAt = (x: number, y: string, pid = "'greedy'"): string[] =>
  ["a", "b", "c", "d"].flatMap((h) => Array<string>(9).fill(`(${pid}, ${x}, ${y}, '${h}')`));

describe.each(["groups-after-filter", "rows-before-filter"])("in DuckDB, with %s,", (bound) => {
  const policy = policyOf(bound);
  let connection: DuckDBConnection;
  let plans: readonly Plan[];
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
    plans = await Promise.all(questions.map((text) => planned(text, policy)));
  });
  afterAll(() => connection.closeSync());

  /** Returns the value of each measurement in each group. */
  async function measured(plan: Plan, rows: readonly string[]): Promise<readonly (readonly bigint[])[]> {
    await connection.run("CREATE OR REPLACE TABLE people (pid VARCHAR, x BIGINT, y DOUBLE, h VARCHAR)");
    await connection.run(`INSERT INTO people VALUES ${rows.join(", ")}`);
    const query = compilePlan(plan, () => ({ relation: ["people"], layout: "raw" }), duckdb);
    const reader = await connection.runAndReadAll(query.sql, query.needsSeed ? ["seed"] : undefined);
    const groups = reader.getRows().map((row) => row.slice(query.keys + 1) as bigint[]);
    return releaseProgram(plan).measurements.map(({ terms }) =>
      groups.map((sums) =>
        terms.reduce(
          (total, { column, coefficient }) => total + BigInt(coefficient) * (sums[column] ?? 0n),
          0n,
        ),
      ),
    );
  }

  it.each([
    [5, "7"],
    [-2, "1"],
    [5, "NULL"],
  ])("a unit with x = %i and y = %s in every row moves nothing farther than derived", async (x, y) => {
    for (const plan of plans) {
      const values = await measured(plan, rowsAt(x, y));
      plan.measurements.forEach(({ name, l1, l2Squared }, at) => {
        const moved = values[at]!.map((value) => (value < 0n ? -value : value));
        const [sum, squares] = [moved, moved.map((value) => value * value)].map((all) =>
          all.reduce((total, value) => total + value, 0n),
        );
        expect(sum! <= BigInt(l1), `${plan.text}: ${name} by ${sum} > ${l1}`).toBe(true);
        expect(squares! <= BigInt(l2Squared), `${plan.text}: ${name}, ℓ2²`).toBe(true);
      });
    }
  });

  it("rows of nobody move nothing", async () => {
    for (const plan of plans)
      expect((await measured(plan, rowsAt(5, "7", "NULL"))).flat().filter((value) => value !== 0n)).toEqual(
        [],
      );
  });

  it.each(["NaN", "Infinity", "-Infinity"])("%s is a missing value, not a bound", async (value) => {
    for (const plan of plans)
      expect(await measured(plan, rowsAt(5, `CAST('${value}' AS DOUBLE)`))).toEqual(
        await measured(plan, rowsAt(5, "NULL")),
      );
  });
});
