import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, it } from "vitest";
import { roundHalfEven as reference } from "../../grid/grid.ts";
import { double } from "./literals.ts";
import { roundHalfEven } from "./round-half-even.ts";

/* What is written is the SQL of every engine whose doubles are those of IEEE 754. DuckDB stands in here for Trino, which ./totality.test.ts asks. */

const near = (middle: number) =>
  fc
    .tuple(fc.integer({ min: -40, max: 40 }), fc.constantFrom(-1, 1))
    .map(([eighths, sign]) => sign * (middle + eighths / 8));
const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -4_000, max: 4_000 }).map((halves) => halves / 2),
  ...[50, 51, 52, 53].map((power) => near(2 ** power)),
  fc.constantFrom(0, -0, 0.49999999999999994, -0.49999999999999994, 5e-324, -5e-324),
);

it("rounds every double to the nearest integer, and of two to the even one", async () => {
  const values = fc.sample(doubles, { numRuns: 6_000, seed: 1 });
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  try {
    const list = values.map((value, at) => `(${at}, ${double(value)})`).join(", ");
    const rows = await connection.runAndReadAll(
      `SELECT ${roundHalfEven("x")}, CASE WHEN abs(x) <= ${double(2 ** 51)} THEN ${roundHalfEven("x", 2 ** 51)} END ` +
        `FROM (VALUES ${list}) AS t(place, x) ORDER BY place`,
    );
    const found = rows.getRows();
    for (const [at, value] of values.entries()) {
      const expected = reference(value) + 0;
      const [any, small] = found[at] as [number, number | null];
      expect([value, any + 0, (small ?? expected) + 0]).toEqual([value, expected, expected]);
      expect(small === null).toBe(Math.abs(value) > 2 ** 51);
    }
  } finally {
    connection.closeSync();
  }
});
