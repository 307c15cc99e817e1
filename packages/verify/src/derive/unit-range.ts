import { elementAt } from "@lethe/core/numeric";
import type { Expression, Factor, Grid, Measurement, Plan, SumColumn } from "@lethe/query";
import { named } from "./named.ts";
import { productRange } from "./product-range.ts";

/** The range of the values that one unit can have in one group it is in: integers from low to high. */
export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

const point = (x: bigint): Range => ({ low: x, high: x });
const plus = (a: Range, b: Range): Range => ({ low: a.low + b.low, high: a.high + b.high });
const hull = (a: Range, b: Range): Range => ({ low: least(a.low, b.low), high: most(a.high, b.high) });
const times = (factor: bigint, { low, high }: Range): Range =>
  factor >= 0n ? { low: factor * low, high: factor * high } : { low: factor * high, high: factor * low };
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * Returns the range of a measurement for one unit in one group, from the plan's grids, clamps and row bound alone.
 *
 * Columns over the same distinct values share m as well, the number of values that the unit adds to those of the others: 0 to `most`.
 *
 * Columns that count the same rows of a unit share m = min(n, r), where n rows of the unit have the argument. For a fixed m each column lies in an
 * interval whose ends are linear in m ≥ 1 (and 0 at m = 0), so the combination does too, and its range over all m is the hull of those at 0, if that
 * can be, at 1 and at r. Columns of different counts are taken to vary freely of each other, which can only widen the range.
 */
export function unitRange(measurement: Measurement, plan: Plan): Range {
  const terms = measurement.terms.map(({ sum, coefficient }) => ({
    sum: named(plan.sums, sum),
    coefficient: BigInt(coefficient),
  }));
  const byCount = new Map<string, typeof terms>();
  for (const term of terms) {
    const name = nameOfCounted(term.sum);
    byCount.set(name, [...(byCount.get(name) ?? []), term]);
  }

  let total = point(0n);
  for (const group of byCount.values()) {
    const at = (m: bigint): Range =>
      group
        .map(({ sum, coefficient }) => times(coefficient, valueRange(sum, m, plan)))
        .reduce(plus, point(0n));
    total = plus(total, rowsCounted(elementAt(group, 0).sum, plan).map(at).reduce(hull));
  }
  return total;
}

/** Returns a name of the rows that m counts. For an argument that is never NULL every row counts, as for COUNT(*): all such columns share m. */
export function nameOfCounted(sum: SumColumn): string {
  if (sum.kind === "distinct-powers") return `values ${JSON.stringify([sum.argument, sum.grid, sum.most])}`;
  if (sum.kind === "units" || !mayBeAbsent(sum)) return "*";
  return JSON.stringify(factorsOf(sum) ?? sum.argument);
}

/** Returns r, or all rows that a unit may have where those are limited: all may lie in one group. */
export function rowsInGroup({ unit, contribution }: Plan): bigint {
  if (unit.kind === "row") return 1n;
  const [groups, rows] = [BigInt(contribution.groups), BigInt(contribution.rows)];
  return contribution.limit === "rows-before-filter" ? groups * rows : rows;
}

/** Whether what a unit adds is the sum of what each of its rows adds. */
export function isBoundedByRows({ unit, contribution }: Plan): boolean {
  return unit.kind === "row" || contribution.limit === "rows-before-filter";
}

/** Returns how many values a unit may add to a group: one a row where rows are all that is bounded. */
function valuesInGroup(most: number, plan: Plan): bigint {
  return isBoundedByRows(plan) ? rowsInGroup(plan) : BigInt(most);
}

/** Returns the ends of the range of m for a unit that is in the group. */
function rowsCounted(sum: SumColumn, plan: Plan): readonly bigint[] {
  if (sum.kind === "distinct-powers") return [0n, valuesInGroup(sum.most, plan)];
  const rows = [1n, rowsInGroup(plan)];
  return mayBeAbsent(sum) ? [0n, ...rows] : rows;
}

/** Whether a row may count for nothing: its argument may be NULL, or a factor of it. */
export function mayBeAbsent(sum: SumColumn): boolean {
  if (sum.kind === "units") return false;
  return factorsOf(sum)?.some(({ argument }) => mayBeNull(argument)) ?? mayBeNull(sum.argument);
}

function factorsOf(sum: SumColumn): readonly Factor[] | undefined {
  return sum.kind === "sum" ? sum.factors : undefined;
}

/** Whether an argument may be NULL. Without an argument, every row counts: COUNT(*). */
function mayBeNull(argument: Expression | null): boolean {
  return argument?.domain.nullable ?? false;
}

/** Returns the interval of a column when m of the unit's rows count. A unit without any row counted has the value 0. */
export function valueRange(sum: SumColumn, m: bigint, plan: Plan): Range {
  if (sum.kind === "units") return point(1n);
  if (m === 0n) return point(0n);
  switch (sum.kind) {
    case "count":
      return point(m);
    case "units-with":
      return point(1n);
    case "distinct":
      // What a unit adds to the values of the others. Where rows are all that is bounded each brings a value.
      return { low: 0n, high: valuesInGroup(sum.most, plan) };
    case "distinct-powers": {
      // Of each of m values that nobody else holds: 1, its distance from the middle, or the square of that.
      const { low, high } = distances(sum);
      if (sum.power === 0) return point(m);
      if (sum.power === 1) return { low: m * low, high: m * high };
      return { low: 0n, high: m * most(low ** 2n, high ** 2n) };
    }
    case "scaled-products": {
      const [x, y] = [distances(sum), distances(sum.other)];
      const products = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
      // A row without the other argument adds nothing.
      return hull(point(0n), { low: m * products.reduce(least), high: m * products.reduce(most) });
    }
    case "sum": {
      // The clamp holds for any number of a unit's rows, unless rows are all that is bounded: then the engine clamps each by itself.
      const clamp = ordered(BigInt(sum.lo), BigInt(sum.hi), "a clamp");
      const row = sum.factors ? productRange(sum.grid, sum.factors) : gridRange(sum);
      if (isBoundedByRows(plan)) return times(m, clampedTo(clamp, row));
      // A clamp at what r rows can reach never binds fewer, and of more rows leaves what r rows can reach.
      return sum.factors === undefined && isAtReach(clamp, row, plan) ? times(m, row) : clamp;
    }
    case "scaled-sum": {
      const { low, high } = gridRange(sum);
      const mid = BigInt(sum.mid);
      return { low: m * (low - mid), high: m * (high - mid) };
    }
    case "scaled-cubes": {
      // A cube grows with the distance.
      const { low, high } = distances(sum);
      return hull(point(0n), { low: m * low ** 3n, high: m * high ** 3n });
    }
    case "scaled-squares": {
      const { low, high } = gridRange(sum);
      const mid = BigInt(sum.mid);
      return { low: 0n, high: m * most((low - mid) ** 2n, (high - mid) ** 2n) };
    }
  }
}

/** Whether a clamp is just what one to r rows of this range can add up to. */
function isAtReach(clamp: Range, row: Range, plan: Plan): boolean {
  const reach = hull(row, times(rowsInGroup(plan), row));
  return clamp.low === reach.low && clamp.high === reach.high;
}

/** Returns the range of a grid's values measured from their middle. */
function distances({ grid, mid }: { readonly grid: Grid; readonly mid: string }): Range {
  const { low, high } = gridRange({ grid });
  return { low: low - BigInt(mid), high: high - BigInt(mid) };
}

function gridRange({ grid }: { readonly grid: Grid }): Range {
  return ordered(BigInt(grid.lo), BigInt(grid.hi), "a grid");
}

function ordered(low: bigint, high: bigint, what: string): Range {
  if (!(low <= high)) throw new RangeError(`${what} whose low end lies above its high end`);
  return { low, high };
}

function clampedTo(clamp: Range, values: Range): Range {
  const keep = (x: bigint): bigint => most(clamp.low, least(x, clamp.high));
  return { low: keep(values.low), high: keep(values.high) };
}
