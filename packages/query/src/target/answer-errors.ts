import { answerWidths } from "../explain/answer-widths.ts";
import type { Plan } from "../plan/plan.ts";

/** An answer's expected half-width, for the least favourable data; null where nobody can say it in advance. */
export interface AnswerError {
  readonly name: string;
  /** The name of its column: another only for totals. */
  readonly column: string;
  readonly kind: string;
  readonly halfWidth: number | null;
  /** It depends on the group's size, and so on the rows it was asked at. */
  readonly bySize: boolean;
}

/**
 * The half-width of every answer's interval: that of its noise, and where it depends on the size of the group the worst at
 * `rows`, when the noise happens to be 0. Null where it depends on a size that is not given, or on other released values.
 */
export function answerErrors(plan: Plan, confidence: number, rows: number | null): readonly AnswerError[] {
  return answerWidths(plan, confidence).map(({ name, column, kind, halfWidth, widthAt, groups }) => {
    if (halfWidth !== null) return { name, column, kind, halfWidth, bySize: false };
    const known =
      widthAt === null || rows === null ? null : (widthAt(rows * groups)?.worst ?? Number.POSITIVE_INFINITY);
    return { name, column, kind, halfWidth: known, bySize: widthAt !== null };
  });
}

/** The widest of all; Infinity where one is not known. */
export function widestError(plan: Plan, confidence: number, rows: number | null): number {
  const errors = answerErrors(plan, confidence, rows);
  return Math.max(0, ...errors.map(({ halfWidth }) => halfWidth ?? Number.POSITIVE_INFINITY));
}
