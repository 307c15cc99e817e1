import { type Plan, questionsOf, type ReleasedExpression, releasedIn } from "@lethe/query";
import type { ReleasedValue } from "../release.ts";
import { evaluateOver } from "./evaluate-over.ts";
import { formRanges } from "./noisy-form.ts";
import { type AnswerRow, answersReader } from "./shown-over.ts";

/**
 * Prepares the rows of the answers to the first questions of a text ↦ the values that later ones read of them: post-processing of what is released. A relation without a row has
 * the value NULL. Errors: internal.invariant for a value of an answer that is not there yet.
 */
export function releasedValues(
  plan: Plan,
  confidence: number,
): (answers: readonly (readonly AnswerRow[])[]) => (released: ReleasedExpression) => ReleasedValue["value"] {
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

/** Returns the released values that the questions of a text read, each once, in their order. */
export function releasedRead(plan: Plan): readonly ReleasedExpression[] {
  const read = questionsOf(plan).flatMap(({ others: _, over: __, ...question }) => releasedIn(question));
  return [...new Map(read.map((released) => [released.sql, released])).values()];
}
