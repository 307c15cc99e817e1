import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import type { Measurer } from "../measurer.ts";
import type { DistinctPowers } from "./distinct-powers.ts";

/** An argument whose distinct values are measured, the grid on which they are told apart, and a middle of it. */
export interface DistinctValues {
  readonly argument: Expression;
  readonly grid: Grid;
  readonly mid: bigint;
  readonly bounds: AskedBounds | null;
}

/** Measures the number of distinct grid integers. */
export function measureValues(measurer: Measurer, values: DistinctValues, importance: number): string {
  const sum = powers(measurer, values, 0);
  const describes = `COUNT(DISTINCT ${writeSql(values.argument)} on its grid)`;
  return measured(measurer, values, { describes, terms: [term(sum, 1n)], each: [1n], importance });
}

/** Measures Σ (i − mid) over the distinct grid integers i. */
export function measureSumOfValues(measurer: Measurer, values: DistinctValues, importance: number): string {
  const [low, high] = distances(values);
  const sum = powers(measurer, values, 1);
  const written = writeSql(values.argument);
  const describes = values.mid === 0n ? `SUM(DISTINCT ${written})` : `SUM(DISTINCT ${written} − middle)`;
  return measured(measurer, values, { describes, terms: [term(sum, 1n)], each: [low, high], importance });
}

/** Measures Σ ((i − mid)² − offset) over the distinct grid integers i. */
export function measureSquaresOfValues(
  measurer: Measurer,
  values: DistinctValues,
  offset: bigint,
  importance: number,
): string {
  const largest = distances(values)
    .map((distance) => distance * distance)
    .reduce((a, b) => (a > b ? a : b));
  const terms = [term(powers(measurer, values, 2), 1n), term(powers(measurer, values, 0), -offset)];
  const describes = `SUM(DISTINCT (${writeSql(values.argument)} − middle)² − offset)`;
  return measured(measurer, values, { describes, terms, each: [-offset, largest - offset], importance });
}

interface Measured {
  readonly describes: string;
  readonly terms: readonly { readonly sum: string; readonly coefficient: string }[];
  /** Among these lies what one value adds. */
  readonly each: readonly bigint[];
  readonly importance: number;
}

/** A unit adds up to `most` values to those of the others, or none: every value that it adds is one of its own. */
function measured(
  measurer: Measurer,
  { argument, grid, bounds }: DistinctValues,
  { describes, terms, each, importance }: Measured,
): string {
  const most = BigInt(mostValues(measurer, grid));
  const reached = [0n, ...each.map((value) => most * value)];
  const range = {
    low: reached.reduce((a, b) => (a < b ? a : b)),
    high: reached.reduce((a, b) => (a > b ? a : b)),
  };
  return measurer.measure(describes, terms, range, argument, importance, bounds);
}

const term = (sum: string, coefficient: bigint) => ({ sum, coefficient: `${coefficient}` });

function powers(
  measurer: Measurer,
  { argument, grid, mid }: DistinctValues,
  power: DistinctPowers["power"],
): string {
  const most = mostValues(measurer, grid);
  return measurer.sum({ kind: "distinct-powers", argument, grid, mid: `${mid}`, power, most });
}

/** Returns how many values a unit can add: at most all that the grid has, where they are in one group. */
function mostValues({ rows, rowsAreBounded }: Measurer, { lo, hi }: Grid): number {
  const all = BigInt(hi) - BigInt(lo) + 1n;
  // Rows that are bounded before the filter may bring the same few values to many groups.
  return Number(rowsAreBounded || rows < all ? rows : all);
}

function distances({ grid, mid }: DistinctValues): readonly [bigint, bigint] {
  return [BigInt(grid.lo) - mid, BigInt(grid.hi) - mid];
}
