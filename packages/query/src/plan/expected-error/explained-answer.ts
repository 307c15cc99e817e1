import type { HalfWidths } from "../../aggregates/answers/widths.ts";
import type { PlannedAggregate } from "../../aggregates/kinds.ts";

/** One answer of a question with its expected error, as it is shown before anything is paid. */
export interface ExplainedAnswer {
  readonly name: string;
  readonly kind: PlannedAggregate["kind"] | "computed";
  /**
   * The interval's half-width, whatever the group's size, in the question's units: for counts and sums, and sums and differences
   * of those.
   */
  readonly halfWidth: number | null;
  /** The half-width by number of rows, in the question's units: for averages, spreads and ratios. */
  readonly curve: readonly CurvePoint[];
  /** The point of that curve at the target's rows, else at the policy's expected_rows, shared out evenly over public groups. */
  readonly expected: CurvePoint | null;
  /** The least and the greatest answer that data within its bounds can give; null where they are not stated. */
  readonly bounds: readonly [number, number] | null;
  /** The unit of half-widths and bounds (from 1970 on), where the answer is a time. */
  readonly unit?: "days" | "seconds";
  /** The measurements that a computed column, or an answer whose error follows from nothing that is known, is made of. Empty for all others. */
  readonly madeOf: readonly string[];
}

export interface CurvePoint extends HalfWidths {
  readonly rows: number;
}
