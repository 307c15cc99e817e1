import { sumKindOf } from "../../aggregates/family-of.ts";
import type { SumWriter } from "../../aggregates/sum-writer.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { SumColumn } from "../../plan/plan.ts";
import type { QuestionRows } from "../contributions/question-rows.ts";
import { clampedText } from "../stored/clamped-text.ts";
import { scaling } from "./scaling.ts";

/** The sums of a plan as SQL aggregates over rows. Every intermediate fits 128 bits: the planner's verify proves it. */
export interface SumText {
  /** Returns the aggregate over all rows of a group, where each row is a unit or only rows are bounded. */
  readonly overRows: (sum: SumColumn) => string;
  /** Returns the sum over a group's units of their clamped values, each made of the aggregates of its rows, which `piece` collects. */
  readonly overUnits: (sum: UnitSum, piece: (aggregate: string) => string) => string;
}

/** The sums over values that units hold together, each taken once. */
export type DistinctSum = Extract<SumColumn, { readonly most: number }>;

/** The sums that are added up over units. */
export type UnitSum = Exclude<SumColumn, DistinctSum>;

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
  const { write } = dialect;
  const { minus, enclosed, caseOf } = write;
  const integer = (value: string): string => write.integer(BigInt(value));
  const r = BigInt(rowsPerGroup);
  const largest = (sum: SumColumn): bigint => sumKindOf(sum).largest(sum, rowsPerGroup);
  const writerOf = (sum: SumColumn): SumWriter => ({
    rows: r,
    write,
    units: (counted) => rows.units(counted),
    counted: (argument) => rows.counted(argument),
    valued: (argument) => rows.valued(argument),
    gridded: (argument, grid) => rows.gridded(argument, grid),
    added: (x) => write.sum(x, largest(sum)),
    distance: (i, mid) => enclosed(minus(write.cast(i, "integer"), integer(mid))),
    clamped: (value, lo, hi) => clampedText(value, integer(lo), integer(hi), write),
    present: ({ domain }, i) => write.count(domain.nullable ? i : undefined),
    orZero: (text) => write.coalesce(text, write.integer(0)),
    few(n) {
      const isFew = write.compare(n, "<=", write.integer(r));
      return merged === null ? isFew : write.some([merged, isFew]);
    },
    unlessMerged: (value, otherwise) =>
      merged === null ? otherwise : caseOf([[merged, value()]], otherwise),
    ...scaling(largest(sum), r, dialect),
  });
  return {
    overRows: (sum) => sumKindOf(sum).overRows(sum, writerOf(sum)),
    overUnits(sum, piece) {
      const writer = writerOf(sum);
      return writer.orZero(write.sum(sumKindOf(sum).overUnit!(sum, writer, piece), r * largest(sum)));
    },
  };
}
