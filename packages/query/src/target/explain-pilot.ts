import { composeLosses, lossFromJson, lossToJson, toText } from "@lethe/core";
import { explainPlan } from "../explain/explain-plan.ts";
import type { Explanation } from "../explain/explanation.ts";
import { mergeOptions, type PlanOptions } from "../plan/merge-options.ts";
import { planQuestion } from "../plan/plan-question.ts";
import type { Policy } from "../policy/policy.ts";
import type { ResolvedQuery } from "../resolve/resolved-query.ts";
import type { Pilot } from "./pilot.ts";
import { withoutTarget } from "./plan-asked.ts";

/**
 * Explains a question with a pilot: the most that it costs, and the errors of its answers then, which are those of the second
 * stage at its cap.
 */
export function explainPilot(
  { plan: first, epsilon, maxEpsilon }: Pilot,
  question: ResolvedQuery,
  policy: Policy,
  stated: PlanOptions,
  policyHash: string,
  confidence: number,
): Explanation {
  const options = withoutTarget(mergeOptions(question.options, stated), maxEpsilon);
  const second = planQuestion({ ...question, options }, policy, {}, policyHash);
  const both = [first.price, second.price].map((price) => lossFromJson(price));
  return {
    ...explainPlan(second, policy, confidence),
    price: lossToJson(composeLosses(first.price.measure, both)),
    pilot: {
      epsilon: toText(epsilon),
      price: first.price,
      maxEpsilon: toText(maxEpsilon),
      maxPrice: second.price,
    },
  };
}
