import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { clampInteger, toGrid } from "../../grid/grid.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import { argumentGrid } from "../bounds/argument-grid.ts";
import type { Measurer } from "../measurer.ts";
import { productOfFactors } from "./product-of-factors.ts";
import type { PlannedSum } from "./sum-types.ts";

/** Measures a sum within the bounds of its rows, or of a unit's sum in a group. Errors: query.option, and those of the bounds. */
export function measureSum(measurer: Measurer, argument: Expression, bounds: AskedBounds | null): PlannedSum {
  if (bounds?.per === "group" && measurer.rowsAreBounded) {
    refuse(
      "query.option",
      "SUM takes bounds per row when the policy limits rows before the filter",
      `write SUM(${writeSql(argument)}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
    );
  }
  const argumentsGrid = argumentGrid("SUM", argument, bounds);
  const product = mayCut(argument, bounds) ? null : productOfFactors(argument, measurer.rows);
  const { grid, ...factored } = product ?? { grid: argumentsGrid };
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const r = measurer.rows;
  // What one to r rows can reach, and of it what the question's bounds a group leave.
  const reach = { low: lo < r * lo ? lo : r * lo, high: hi > r * hi ? hi : r * hi };
  const cut = (x: number): bigint => {
    const scaled = x * 2 ** -grid.exponent;
    if (!Number.isFinite(scaled)) return x > 0 ? reach.high : reach.low;
    return clampInteger(toGrid(x, grid.exponent), reach.low, reach.high);
  };
  const range = bounds?.per === "group" ? { low: cut(bounds.lo), high: cut(bounds.hi) } : reach;
  const sum = measurer.sum({
    kind: "sum",
    argument,
    grid,
    lo: `${range.low}`,
    hi: `${range.high}`,
    ...factored,
  });
  const describes = `SUM(${writeSql(argument)})`;
  const measured = measurer.measure(describes, [{ sum, coefficient: "1" }], range, argument, 1, bounds);
  return { kind: "sum", sum: measured, exponent: grid.exponent };
}

/**
 * Whether rows may be clamped to bounds that are narrower than the argument's domain. Bounds that are learned count as such whatever they
 * come out at, so that a question is planned alike before and after.
 */
function mayCut({ domain }: Expression, bounds: AskedBounds | null): boolean {
  if (bounds === null || bounds.per === "group") return false;
  if (bounds.per === "auto" || bounds.learned || domain.type !== "number" || !domain.bounds) return true;
  return bounds.lo > domain.bounds[0] || bounds.hi < domain.bounds[1];
}
