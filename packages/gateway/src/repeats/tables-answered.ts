import { type Plan, publicValues, questionsOf, tablesRead } from "@lethe/query";

/** Returns every table that an answer is made of, once: those of all its questions, and the public ones beside it. */
export function tablesAnswered(plan: Plan): readonly string[] {
  const beside = plan.over ? publicValues(plan.over).map(({ table }) => table) : [];
  return [...new Set([...questionsOf(plan).flatMap(tablesRead), ...beside])];
}
