import type { Plan } from "../../plan/plan.ts";

/** Places of a plan's keys that are texts. */
export function textKeys({ keys }: Pick<Plan, "keys">): readonly number[] {
  return keys.parts.flatMap(({ expression: { domain } }, at) => (domain.type === "text" ? [at] : []));
}
