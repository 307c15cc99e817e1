import type { Plan, ReleasedRelation } from "@lethe/query";
import type { ReleasedValue } from "../release.ts";
import { evaluateOver } from "./evaluate-over.ts";
import { formRanges } from "./noisy-form.ts";
import { type AnswerRow, answersReader } from "./shown-over.ts";

/**
 * Prepares the rows of the answers to the first questions of a text ↦ the value of a relation over them that later questions read: post-processing of what is released. Without a row
 * it is NULL. Errors: internal.invariant for a relation over an answer that is not there yet.
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
      const [row] = evaluateOver(of, answer, () => ranges, confidence).rows;
      const [cell] = row?.values() ?? [];
      const value = cell?.value ?? null;
      return typeof value === "bigint" ? Number(value) : value;
    };
  };
}
