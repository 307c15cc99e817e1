import { type AnswerWidth, answerWidths } from "../plan/expected-error/answer-widths.ts";
import type { CurvePoint, ExplainedAnswer } from "../plan/expected-error/explained-answer.ts";
import type { Plan } from "../plan/plan.ts";

/** Group sizes at which averages and spreads are shown. */
const sizes = [10, 30, 100, 300, 1000, 3000, 10_000, 100_000, 1_000_000];

/**
 * How far each answer may lie from its bounded aggregate; averages and the like at usual sizes of a group, and at
 * `expectedRows` where that is known.
 */
export function explainAnswers(
  plan: Plan,
  confidence: number,
  expectedRows: number | null = null,
): readonly ExplainedAnswer[] {
  return answerWidths(plan, confidence).map(({ widthAt, groups, column: _, ...answer }) => ({
    ...answer,
    curve: widthAt === null ? [] : sizes.flatMap((rows) => pointAt(widthAt, rows) ?? []),
    expected: widthAt === null || expectedRows === null ? null : pointAt(widthAt, expectedRows * groups),
  }));
}

function pointAt(widthAt: NonNullable<AnswerWidth["widthAt"]>, rows: number): CurvePoint | null {
  const width = widthAt(rows);
  return width && { rows, ...width };
}
