import { sumKindOf } from "../../aggregates/family-of.ts";
import type { SumWriter } from "../../aggregates/sum-writer.ts";
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
  if (sums.some((sum) => sumKindOf(sum).mayClamp(sum, r))) return null;
  return sums.some((sum) => sumKindOf(sum).countsUnits) ? 1 : rowsPerGroup;
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
  const r = BigInt(rowsPerGroup);
  const wide = (x: bigint): string => dialect.wide(x);
  const writer: SumWriter = {
    rows: r,
    units: (counted) => rows.units(counted),
    counted: (argument) => rows.counted(argument),
    valued: (argument) => rows.valued(argument),
    gridded: (argument, grid) => rows.gridded(argument, grid),
    wide,
    distance: (i, mid) => `(CAST(${i} AS ${dialect.types.integer}) - ${integer(mid)})`,
    clamped: (value, lo, hi) =>
      `CASE WHEN ${value} > ${integer(hi)} THEN ${integer(hi)} WHEN ${value} < ${integer(lo)} THEN ${integer(lo)} ELSE ${value} END`,
    present: ({ domain }, i) => (domain.nullable ? `count(${i})` : "count(*)"),
    few: (n) => (merged === null ? `${n} <= ${r}` : `${merged} OR ${n} <= ${r}`),
    unlessMerged: (value, otherwise) =>
      merged === null ? otherwise : `CASE WHEN ${merged} THEN ${value()} ELSE ${otherwise} END`,
    scaled: (total, n) => dialect.quotient(`(${wide(2n * r)} * ${total} + ${n})`, `(${wide(2n)} * ${n})`),
  };
  return {
    overRows: (sum) => sumKindOf(sum).overRows(sum, writer),
    overUnit: (sum, piece) => sumKindOf(sum).overUnit!(sum, writer, piece),
  };
}
