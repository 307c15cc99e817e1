import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import {
  type CompiledQuery,
  compilePlan,
  duckdb,
  type Plan,
  type Policy,
  readPolicy,
  snapshotSelect,
} from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planned } from "../planned.ts";

/*
 * Groups of public rows that an outer join keeps, as an attacker looks at them: the released groups and the plan must be the same whatever the private rows, and a unit whose one
 * row meets a hundred public rows must not move more than its limits say.
 */

const limits = { groups: 3, rows: 2 };
const policy: Policy = readPolicy(`
version: 1
privacy_unit: { name: rider, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-5 }
tables:
  rides: { file: a.duckdb, unit: rider, max_groups_contributed: ${limits.groups}, max_rows_contributed_per_group: ${limits.rows}, columns: {
    rider: { type: integer }, day: { type: integer, bounds: [1, 100] }, fare: { type: number, bounds: [0, 10] } } }
  calendar: { file: a.duckdb, public: true, key: day, max_rows: 100, columns: { day: { type: integer, bounds: [1, 100] } } }
`);

type Ride = readonly [rider: number, day: number, fare: number];
const crowd: readonly Ride[] = Array.from({ length: 40 }, (_, n) => [n, 1 + (n % 50), n % 10]);

const ranges = "calendar c LEFT JOIN rides r ON r.day <= c.day";
const series = "generate_series(1, 100) AS c(day) LEFT JOIN rides r ON r.day <= c.day";
const sameDay = "rides r RIGHT JOIN calendar c ON r.day = c.day";

describe("groups of public rows", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
    await connection.run("CREATE TABLE raw_calendar AS SELECT UNNEST(range(1, 101))::INTEGER AS day");
  });
  afterAll(() => connection.closeSync());

  async function sumsOf(plan: Plan, rides: readonly Ride[]): Promise<ReadonlyMap<string, readonly number[]>> {
    await connection.run("CREATE OR REPLACE TABLE raw_rides (rider INTEGER, day INTEGER, fare DOUBLE)");
    if (rides.length > 0)
      await connection.run(
        `INSERT INTO raw_rides VALUES ${rides.map((ride) => `(${ride.join(", ")})`).join(", ")}`,
      );
    for (const table of ["rides", "calendar"])
      await connection.run(
        `CREATE OR REPLACE TABLE snapshot_${table} AS ${snapshotSelect(policy.tables[table]!, `raw_${table}`, duckdb)}`,
      );
    const storageOf = (table: string) => ({ relation: [`snapshot_${table}`], layout: "snapshot" as const });
    const query: CompiledQuery = compilePlan(plan, storageOf, duckdb);
    const reader = await connection.runAndReadAll(query.sql, query.needsSeed ? ["a secret seed"] : undefined);
    return new Map(reader.getRows().map((row) => [String(row[0]), row.slice(query.keys).map(Number)]));
  }

  it.each([ranges, series])(
    "a unit whose row meets a hundred public rows moves no more than its limits: %s",
    async (from) => {
      const plan = await planned(
        `SELECT c.day, COUNT(*) AS n, SUM(fare) AS fares FROM ${from} GROUP BY c.day`,
        policy,
      );
      const without = await sumsOf(plan, crowd);
      // Twenty rows, each of which meets every day.
      const greedy: readonly Ride[] = Array.from({ length: 20 }, () => [77, 1, 4]);
      const beside = await sumsOf(plan, [...crowd, ...greedy]);
      const moved = [...beside].filter(
        ([day, sums]) => JSON.stringify(sums) !== JSON.stringify(without.get(day)),
      );
      expect(moved.length).toBe(limits.groups);
      const distances: number[] = [];
      for (const measurement of plan.measurements) {
        const total = (sums: ReadonlyMap<string, readonly number[]>, day: string): number =>
          measurement.terms.reduce((sum, { sum: name, coefficient }) => {
            const at = plan.sums.findIndex((each) => each.name === name);
            return sum + Number(coefficient) * (sums.get(day)?.[1 + at] ?? 0);
          }, 0);
        const distance = moved.reduce(
          (sum, [day]) => sum + Math.abs(total(beside, day) - total(without, day)),
          0,
        );
        distances.push(distance);
        expect(distance).toBeLessThanOrEqual(Number(measurement.l1));
      }
    },
  );

  it.each([ranges, series, sameDay])(
    "which groups are answered says nothing of the private rows: %s",
    async (from) => {
      const plan = await planned(`SELECT c.day, COUNT(*) AS n FROM ${from} GROUP BY c.day`, policy);
      const { program } = plan.keys;
      expect(program).toMatchObject({ kind: "public" });
      if (program.kind !== "public") throw new Error("public keys are due");
      expect(program.declared.map(([day]) => day)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
      const declared = new Set(program.declared.map(([day]) => String(day)));
      // A group that the engine does not give has the sums 0, and its noise, like any other.
      for (const rides of [[], crowd, crowd.slice(0, 1)] as const)
        for (const day of (await sumsOf(plan, rides)).keys()) expect(declared).toContain(day);
    },
  );

  it("a group whose day no condition of ON can meet is answered all the same", async () => {
    const kept = await planned(
      "SELECT c.day, COUNT(*) AS n FROM calendar c LEFT JOIN rides r ON r.day = c.day AND c.day < 3 GROUP BY c.day",
      policy,
    );
    const { program } = kept.keys;
    expect(program.kind === "public" && program.declared.length).toBe(100);
  });

  it("groups are kept where a subquery is asked inside an aggregate, and keys of riders are refused there too", async () => {
    const list =
      "COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM rides o WHERE o.rider = r.rider AND o.fare > r.fare)) AS n";
    const from = "calendar c LEFT JOIN rides r ON r.day = c.day AND c.day < 3";
    const kept = await planned(`SELECT c.day, ${list} FROM ${from} GROUP BY c.day`, policy);
    const { program } = kept.keys;
    expect(program.kind === "public" && program.declared.length).toBe(100);
    await expect(planned(`SELECT c.day, r.fare, ${list} FROM ${from} GROUP BY 1, 2`, policy)).rejects.toThrow(
      "none of their columns",
    );
  });
});
