import { lossFromJson, lossToJson, toText } from "@lethe/core";
import { composeLosses } from "@lethe/core/accounting";
import type { Pilot } from "../plan/error-target/pilot.ts";
import { withoutTarget } from "../plan/error-target/plan-asked.ts";
import { mergeOptions, type PlanOptions } from "../plan/merge-options.ts";
import { planQuestion } from "../plan/question/plan-question.ts";
import type { Policy } from "../policy/policy.ts";
import type { ResolvedQuery } from "../resolve/names/resolved-query.ts";
import { explainPlan } from "./explain-plan.ts";
import type { Explanation } from "./explanation.ts";

/**
 * Explains a question with a pilot: the most that it costs, and the errors of its answers then, which are those of the second
 * request at its cap.
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
