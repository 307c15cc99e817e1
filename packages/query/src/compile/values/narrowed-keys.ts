import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { isIntegerKey } from "../../plan/release-program.ts";
import type { QuestionRows } from "../contributions/question-rows.ts";

/**
 * Returns the keys of a question's rows, each in a narrower type where its domain bounds its integers, which holds for every row: engines
 * may group by such a type faster.
 */
export function narrowedKeys(
  plan: Plan,
  { keys }: Pick<QuestionRows, "keys">,
  dialect: Dialect,
): readonly string[] {
  return keys.map((key, at) => {
    const { expression } = elementAt(plan.keys.parts, at);
    const { domain } = expression;
    if (domain.type !== "number" || !domain.bounds || !isIntegerKey(expression)) return key;
    return dialect.narrow(key, ...domain.bounds);
  });
}
