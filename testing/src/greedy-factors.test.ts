import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { compilePlan, duckdb, readPolicy } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planned } from "./planned.ts";

/*
 * A domain proves that a factor cannot lie beyond its bounds, and the SQL clamps it all the same. Here the proof is made false: the
 * stored integers of a snapshot, which import has clamped, are far beyond the policy's bounds.
 */

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 100 }
tables:
  people:
    file: people.parquet
    unit: row
    columns:
      x: { type: number, bounds: [0, 100], default: 0 }
      n: { type: integer, bounds: [-3, 8] }
`);

/** Each factor is computed, and so clamped by this very statement. */
const factored = ["((x - 50) / 50) * (n / 8)", "POWER((x - 50) / 50, 2)", "(n + 1) * (n + 1) * (x / 4)"];

describe("a factor that exceeds its domain", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
  });
  afterAll(() => connection.closeSync());

  it.each(factored)("moves the sum of %s no farther than derived", async (product) => {
    const plan = await planned(`SELECT SUM(${product}) FROM people`, policy);
    const [measurement] = plan.measurements;
    const query = compilePlan(plan, () => ({ relation: ["people"], layout: "snapshot" }), duckdb);
    const largest = 2n ** 31n - 1n;
    let most = 0n;
    for (const x of [0n, largest, -largest])
      for (const n of [0n, largest, -largest]) {
        await connection.run("CREATE OR REPLACE TABLE people (x BIGINT, n BIGINT)");
        await connection.run(`INSERT INTO people VALUES (${x}, ${n})`);
        const [row] = (await connection.runAndReadAll(query.sql)).getRows();
        const sum = row!.at(-1) as bigint;
        expect(sum <= BigInt(measurement!.l1) && -sum <= BigInt(measurement!.l1), `${x}, ${n}: ${sum}`).toBe(
          true,
        );
        if (sum > most) most = sum;
        if (-sum > most) most = -sum;
      }
    // A clamp to less would pass, too.
    expect(most).toBe(BigInt(measurement!.l1));
  });
});
