import type { Rational } from "@lethe/core";
import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { mergeOptions, type PlanOptions } from "../merge-options.ts";
import { requireLeast } from "../passes/least-price.ts";
import type { Plan } from "../plan.ts";
import { planQuestion } from "../question/plan-question.ts";
import { checkBoundsKnown } from "./check-bounds-known.ts";
import { checkOneQuestion } from "./check-one-question.ts";
import { checkTarget } from "./check-target.ts";
import { withoutTarget } from "./plan-asked.ts";
import { statedWidths } from "./stated-widths.ts";

/** A question that is asked twice: first at a stated ε, then at the ε that the first answer suggests. */
export interface Pilot {
  /** The plan of the first question. */
  readonly plan: Plan;
  readonly epsilon: Rational;
  /** The most that the second question may cost. */
  readonly maxEpsilon: Rational;
}

/** Returns the first of a question's two requests; null where its options ask for no pilot. Errors: those of planAsked. */
export function pilotOf(
  question: ResolvedQuery,
  policy: Policy,
  stated: PlanOptions,
  policyHash: string,
  confidence = 0.95,
): Pilot | null {
  const options = mergeOptions(question.options, stated);
  const { pilotEpsilon: epsilon, maxEpsilon } = options;
  if (epsilon === null) return null;
  checkTarget(options);
  checkBoundsKnown(question);
  checkOneQuestion(question);
  requireLeast(epsilon, policy);
  const planAt = (price: Rational): Plan =>
    planQuestion({ ...question, options: withoutTarget(options, price) }, policy, {}, policyHash);
  const plan = planAt(epsilon);
  // Anything that makes the second request impossible is found before the first is paid.
  planAt(maxEpsilon!);
  statedWidths(options, plan, policy, confidence, silent(plan));
  return { plan, epsilon, maxEpsilon: maxEpsilon! };
}

/** A pilot that shows nothing in any of its columns. */
function silent({ outputs }: Plan): Parameters<typeof statedWidths>[4] {
  return { requestId: "", columns: new Map(outputs.map(({ name }) => [name, []])) };
}
