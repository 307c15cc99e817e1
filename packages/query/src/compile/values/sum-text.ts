import type { Dialect } from "../../dialects/dialect.ts";
import type { SumColumn } from "../../plan/plan.ts";
import type { QuestionRows } from "../contributions/question-rows.ts";

/** The sums of a plan as SQL aggregates over rows. Every intermediate fits 128 bits: the planner's verify proves it. */
export interface SumText {
  /** Returns the aggregate over all rows of a group, where each row is a unit or only rows are bounded. */
  readonly overRows: (sum: SumColumn) => string;
  /** Returns a unit's clamped value in a group, made of the aggregates of its rows, which `piece` collects. */
  readonly overUnit: (sum: UnitSum, piece: (aggregate: string) => string) => string;
}

/** The sums that are added up over units. */
export type UnitSum = Exclude<SumColumn, { readonly kind: "distinct" }>;

/**
 * Returns the least number of rows, beyond the first in each of its groups, that a unit must not reach if its rows are to add up
 * by themselves: then none is scaled, clamped or counted once for several. Null where no such number can be told.
 */
export function rowsWithinBounds(sums: readonly UnitSum[], rowsPerGroup: number): number | null {
  const r = BigInt(rowsPerGroup);
  const mayClamp = sums.some((sum) => {
    if (sum.kind !== "sum") return false;
    const [lo, hi] = [BigInt(sum.grid.lo), BigInt(sum.grid.hi)];
    return BigInt(sum.lo) > lo || BigInt(sum.lo) > r * lo || BigInt(sum.hi) < hi || BigInt(sum.hi) < r * hi;
  });
  if (mayClamp) return null;
  return sums.some(({ kind }) => kind === "units" || kind === "units-with") ? 1 : rowsPerGroup;
}

/**
 * Writes the sums of a plan. `merged` is the condition that a row of units and groups holds the rows of several units, each
 * within its bounds.
 */
export function sumText(
  rows: QuestionRows,
  rowsPerGroup: number,
  dialect: Dialect,
  merged: string | null = null,
): SumText {
  const integer = (text: string): string => (text.startsWith("-") ? `(${text})` : text);
  const { wide } = dialect;
  const count = (sum: Extract<SumColumn, { kind: "count" }>): string => {
    const counted = rows.counted(sum.argument);
    return counted === null ? "count(*)" : `count(${counted})`;
  };
  const clamped = (value: string, lo: string, hi: string): string =>
    `CASE WHEN ${value} > ${integer(hi)} THEN ${integer(hi)} WHEN ${value} < ${integer(lo)} THEN ${integer(lo)} ELSE ${value} END`;
  /** Counts the rows that have an argument. */
  const present = (sum: GridSum, i: string): string =>
    sum.argument.domain.nullable ? `count(${i})` : "count(*)";
  const distance = (i: string, mid: string): string =>
    `(CAST(${i} AS ${dialect.types.integer}) - ${integer(mid)})`;
  const square = (sum: GridSum & { readonly mid: string }, i: string): string =>
    `${distance(i, sum.mid)} * ${distance(i, sum.mid)}`;
  const product = ({ argument, grid, mid, other }: Extract<SumColumn, { kind: "scaled-products" }>): string =>
    `${distance(rows.gridded(argument, grid), mid)} * ${distance(rows.gridded(other.argument, other.grid), other.mid)}`;
  const r = BigInt(rowsPerGroup);
  const unless = (value: string, otherwise: string): string =>
    merged === null ? otherwise : `CASE WHEN ${merged} THEN ${value} ELSE ${otherwise} END`;
  const few = (n: string): string => (merged === null ? `${n} <= ${r}` : `${merged} OR ${n} <= ${r}`);

  /** Writes ⌊total·r/n + ½⌋ for n > r rows; totals are not negative. */
  const scaled = (total: string, n: string): string =>
    dialect.quotient(`(${wide(2n * r)} * ${total} + ${n})`, `(${wide(2n)} * ${n})`);

  return {
    overRows(sum) {
      switch (sum.kind) {
        case "units":
          return rows.units(null);
        case "units-with":
          return rows.units(rows.counted(sum.argument));
        case "distinct":
          return `count(DISTINCT ${rows.valued(sum.argument)})`;
        case "scaled-products":
          return `coalesce(sum(${product(sum)}), 0)`;
        case "count":
          return count(sum);
        case "sum": {
          const i = rows.gridded(sum.argument, sum.grid);
          const narrower = BigInt(sum.lo) > BigInt(sum.grid.lo) || BigInt(sum.hi) < BigInt(sum.grid.hi);
          return `coalesce(sum(${narrower ? clamped(i, sum.lo, sum.hi) : i}), 0)`;
        }
        case "scaled-sum": {
          const i = rows.gridded(sum.argument, sum.grid);
          return `coalesce(sum(${i}) - ${wide(BigInt(sum.mid))} * ${present(sum, i)}, 0)`;
        }
        case "scaled-squares":
          return `coalesce(sum(${square(sum, rows.gridded(sum.argument, sum.grid))}), 0)`;
      }
    },

    overUnit(sum, piece) {
      switch (sum.kind) {
        case "units":
          return merged === null ? "1" : unless(piece("count(*)"), "1");
        case "units-with": {
          const n = piece(`count(${rows.counted(sum.argument) ?? "*"})`);
          return unless(n, `CASE WHEN ${n} > 0 THEN 1 ELSE 0 END`);
        }
        case "scaled-products": {
          const n = piece(present(sum, rows.gridded(sum.argument, sum.grid)));
          const total = piece(`sum(${product(sum)})`);
          // The total is shifted by the least product, so that nothing is negative.
          const most = BigInt(sum.half) * BigInt(sum.other.half);
          const above = scaled(`(${total} + ${wide(most)} * ${n})`, n);
          return `CASE WHEN ${few(n)} THEN ${total} ELSE ${above} - ${wide(r * most)} END`;
        }
        case "count": {
          const n = piece(count(sum));
          return `CASE WHEN ${few(n)} THEN ${n} ELSE ${r} END`;
        }
        case "sum": {
          const total = piece(`sum(${rows.gridded(sum.argument, sum.grid)})`);
          return unless(total, clamped(total, sum.lo, sum.hi));
        }
        case "scaled-sum": {
          const i = rows.gridded(sum.argument, sum.grid);
          const [total, n] = [piece(`sum(${i})`), piece(present(sum, i))];
          const [lo, mid] = [BigInt(sum.grid.lo), BigInt(sum.mid)];
          const above = scaled(`(${total} - ${wide(lo)} * ${n})`, n);
          return `CASE WHEN ${few(n)} THEN ${total} - ${wide(mid)} * ${n} ELSE ${above} - ${wide(r * (mid - lo))} END`;
        }
        case "scaled-squares": {
          const i = rows.gridded(sum.argument, sum.grid);
          const [total, n] = [piece(`sum(${square(sum, i)})`), piece(present(sum, i))];
          return `CASE WHEN ${few(n)} THEN ${total} ELSE ${scaled(total, n)} END`;
        }
      }
    },
  };
}

type GridSum = Extract<SumColumn, { readonly grid: unknown }>;
