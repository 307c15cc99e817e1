import type { Plan, ReleasedRelation } from "@lethe/query";
import type { PostValue } from "../post/evaluate.ts";
import type { ReleasedValue } from "../release.ts";
import { evaluateOver, TooManyRows } from "./evaluate-over.ts";
import { formRanges } from "./noisy-form.ts";
import type { OverRow } from "./over-cell.ts";
import { type AnswerRow, answersReader } from "./shown-over.ts";

/**
 * Prepares the rows of the answers to the first questions of a text ↦ the value of a relation over them that later questions read: post-processing of what is released. Without a row
 * it is NULL, and so it is where answers make too many rows: whatever was released, the question behind it is asked. Errors: internal.invariant for a relation over an answer that is not there yet.
 */
export function releasedValues(
  plan: Plan,
  confidence: number,
): (answers: readonly (readonly AnswerRow[])[]) => (relation: ReleasedRelation) => ReleasedValue["value"] {
  const answersOf = answersReader(plan);
  const ranges = formRanges(confidence);
  return (answers) => {
    const answer = answersOf(answers);
    return ({ of }) => {
      const value = firstValue(() => evaluateOver(of, answer, () => ranges, confidence).rows);
      return typeof value === "bigint" ? Number(value) : value;
    };
  };
}

function firstValue(rows: () => readonly OverRow[]): PostValue {
  try {
    const [first] = rows();
    const [cell] = first?.values() ?? [];
    return cell?.value ?? null;
  } catch (error) {
    if (error instanceof TooManyRows) return null;
    throw error;
  }
}
