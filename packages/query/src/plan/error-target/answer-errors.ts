import { answerWidths } from "../expected-error/answer-widths.ts";
import type { ExplainedAnswer } from "../expected-error/explained-answer.ts";
import { groupingsOf } from "../groupings.ts";
import type { Plan } from "../plan.ts";

/** An answer's expected half-width, for the least favourable data; null where nobody can say it in advance. */
export interface AnswerError {
  readonly name: string;
  /** The name of its column: it differs from the answer's only for totals. */
  readonly column: string;
  readonly kind: ExplainedAnswer["kind"];
  readonly halfWidth: number | null;
  /** Whether it depends on the group's size, and so on the rows it was asked at. */
  readonly bySize: boolean;
}

/**
 * Returns the half-width of every answer's interval: that of its noise, and where it depends on the size of the group the worst
 * at `rows`, when the noise happens to be 0. Null where it depends on a size that is not given, or on other released values.
 */
export function answerErrors(plan: Plan, confidence: number, rows: number | null): readonly AnswerError[] {
  const known = answerWidths(plan, confidence).map(({ name, column, kind, halfWidth, widthAt, groups }) => {
    if (halfWidth !== null) return { name, column, kind, halfWidth, bySize: false };
    const atRows =
      widthAt === null || rows === null ? null : (widthAt(rows * groups)?.worst ?? Number.POSITIVE_INFINITY);
    return { name, column, kind, halfWidth: atRows, bySize: widthAt !== null };
  });
  const isLeft = groupingsOf(plan).some(({ within }) => within.length > 0);
  return isLeft ? [...known, leftBeside] : known;
}

/** The rest of a total beside its released groups: it is as wide as all of them together, and nobody knows how many they are. */
const leftBeside: AnswerError = {
  name: "(other)",
  column: "(other)",
  kind: "computed",
  halfWidth: null,
  bySize: false,
};

/** Returns the widest half-width of all answers; Infinity where one is not known. */
export function widestError(plan: Plan, confidence: number, rows: number | null): number {
  const errors = answerErrors(plan, confidence, rows);
  return Math.max(0, ...errors.map(({ halfWidth }) => halfWidth ?? Number.POSITIVE_INFINITY));
}
