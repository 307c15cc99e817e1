import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { clampInteger, toGrid } from "../../grid/grid.ts";
import { refuse } from "../../refusals/refuse.ts";
import { argumentGrid } from "../../resolve/aggregates/argument-grid.ts";
import type { Aggregate, AskedBounds } from "../../resolve/names/resolved-query.ts";
import type { Grid, PlannedAggregate } from "../plan.ts";
import { centre, type MeasurementBuilder } from "./measurement-builder.ts";

/** An aggregate as the measurements that it is read from. Errors: query.missing-bounds, query.type, query.option. */
export type Decompose<K extends Aggregate["kind"]> = (
  aggregate: Aggregate & { readonly kind: K },
  builder: MeasurementBuilder,
) => PlannedAggregate;

/**
 * Importance of a part: (∂answer/∂part · magnitude)², in the answer's own full scale, where the average lies half-way
 * between the middle and a bound, that is |S/C| = half/2.
 */
export const decompose: { readonly [K in Aggregate["kind"]]: Decompose<K> } = {
  count: ({ argument }, builder) => ({ kind: "count", count: builder.count(argument, 1) }),
  "count-units": (_, builder) => ({ kind: "count", count: builder.units(1) }),
  "count-units-with": ({ argument, written }, builder) => ({
    kind: "count",
    count: builder.unitsWith(argument, written, 1),
  }),
  "count-distinct": ({ argument }, builder) => ({ kind: "count", count: builder.distinct(argument, 1) }),
  covariance: ({ population, argument, other, present }, builder) => {
    const name = population ? "COVAR_POP" : "COVAR_SAMP";
    const x = { argument, grid: argumentGrid(name, argument, null) };
    const y = { argument: other, grid: argumentGrid(name, other, null) };
    const [ofProducts, ofSum, ofOther, ofCount] = builder.parts(1, 1 / 4, 1 / 4, 1 / 16);
    return {
      kind: "covariance",
      population,
      products: builder.products(x, y, ofProducts!),
      sum: builder.centred(argument, x.grid, ofSum!),
      otherSum: builder.centred(other, y.grid, ofOther!),
      count: builder.count(present, ofCount!),
      half: `${centre(x.grid).half}`,
      otherHalf: `${centre(y.grid).half}`,
      exponent: x.grid.exponent + y.grid.exponent,
    };
  },
  sum: ({ argument, bounds }, builder) => {
    if (bounds?.per === "group" && builder.rowsAreBounded) {
      refuse(
        "query.option",
        "SUM takes bounds a row where the policy bounds rows before the filter",
        `write SUM(${writeSql(argument)}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
      );
    }
    const grid = argumentGrid("SUM", argument, bounds);
    const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
    const r = builder.rows;
    // What one to r rows can reach, and of it what the question's bounds a group leave.
    const reach = { low: lo < r * lo ? lo : r * lo, high: hi > r * hi ? hi : r * hi };
    const cut = (x: number): bigint => {
      const scaled = x * 2 ** -grid.exponent;
      if (!Number.isFinite(scaled)) return x > 0 ? reach.high : reach.low;
      return clampInteger(toGrid(x, grid.exponent), reach.low, reach.high);
    };
    const range = bounds?.per === "group" ? { low: cut(bounds.lo), high: cut(bounds.hi) } : reach;
    const column = builder.column({ kind: "sum", argument, grid, lo: `${range.low}`, hi: `${range.high}` });
    const describes = `SUM(${writeSql(argument)})`;
    const sum = builder.measure(describes, [{ column, coefficient: "1" }], range, argument, 1, bounds);
    return { kind: "sum", sum, exponent: grid.exponent };
  },
  avg: ({ argument, bounds, present = argument }, builder) => {
    const grid = rowGrid("AVG", argument, bounds);
    const { mid, half } = centre(grid);
    const [ofSum, ofCount] = builder.parts(1, 1 / 4);
    const sum = builder.centred(argument, grid, ofSum!, bounds);
    const count = builder.count(present, ofCount!);
    return { kind: "avg", sum, count, mid: `${mid}`, half: `${half}`, exponent: grid.exponent };
  },
  variance: (aggregate, builder) => spread(aggregate, builder),
  stddev: (aggregate, builder) => spread(aggregate, builder),
  quantile: ({ share, standsFor, time, argument, bounds }, builder) => {
    const name = standsFor?.toUpperCase() ?? (share === 0.5 ? "MEDIAN" : "PERCENTILE_CONT");
    const grid = rowGrid(name, argument, bounds, name === "PERCENTILE_CONT" ? `, ${share}` : "");
    const tree = builder.tree(argument, grid);
    return { kind: "quantile", tree, share, standsFor, ...(time === undefined ? {} : { time }) };
  },
};

function spread(
  {
    kind,
    population,
    argument,
    bounds,
    present = argument,
  }: Aggregate & {
    readonly kind: "variance" | "stddev";
  },
  builder: MeasurementBuilder,
): PlannedAggregate {
  const grid = rowGrid(kind === "variance" ? "VARIANCE" : "STDDEV", argument, bounds);
  const { half } = centre(grid);
  const offset = (half * half) / 2n;
  const [ofSquares, ofSum, ofCount] = builder.parts(1 / 4, 1, 1 / 16);
  return {
    kind,
    population,
    squares: builder.squares(argument, grid, offset, ofSquares!, bounds),
    sum: builder.centred(argument, grid, ofSum!, bounds),
    count: builder.count(present, ofCount!),
    half: `${half}`,
    offset: `${offset}`,
    exponent: grid.exponent,
  };
}

function rowGrid(name: string, argument: Expression, bounds: AskedBounds | null, further = ""): Grid {
  if (bounds?.per === "group") {
    refuse(
      "query.option",
      `${name} takes bounds a row, not a group`,
      `write ${name}(${writeSql(argument)}${further}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
    );
  }
  return argumentGrid(name, argument, bounds, further);
}
