import {
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  type PrivacyLossText,
  type Rational,
  toText,
} from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { QuestionOptions } from "../../resolve/names/resolved-query.ts";
import { questionBudget } from "../question-budget.ts";

type Policed = Pick<Policy, "budget" | "defaults" | "leastEpsilon">;

/**
 * Refuses an ε below the least that the policy sells a question for: whoever stated it would pay more than was said. `epsilon` null is that of the policy's defaults.
 * Errors: query.option.
 */
export function requireLeast(epsilon: Rational | null, { leastEpsilon, defaults }: Policed): void {
  const stated = epsilon ?? defaults.epsilon;
  if (leastEpsilon === undefined || stated === null || compare(stated, leastEpsilon) >= 0) return;
  refuse(
    "query.option",
    `the question would cost an epsilon of ${toText(stated).slice(0, 40)}, and the policy sells none below ${toText(leastEpsilon)}`,
    `state epsilon = ${toText(leastEpsilon)}, which gives less noise`,
  );
}

/**
 * Returns the price that is charged: that of what is run, and no less than the policy's least ε, as where a count that no unit can change, or noise that was rounded up, costs
 * less than was asked. The rest of the loss is as priced. Under zCDP the least ε stands for the ρ that a stated ε stands for.
 */
export function atLeast(
  price: PrivacyLossText,
  policy: Policed,
  { delta }: Pick<QuestionOptions, "delta">,
): PrivacyLossText {
  const { leastEpsilon } = policy;
  if (leastEpsilon === undefined) return price;
  const least = questionBudget(policy, { epsilon: leastEpsilon, delta });
  return lossToJson(withAtLeast(lossFromJson(price), least));
}

function withAtLeast(price: PrivacyLoss, least: PrivacyLoss): PrivacyLoss {
  if (price.measure === "zcdp")
    return least.measure === "zcdp" ? { ...price, rho: greater(price.rho, least.rho) } : price;
  return least.measure === "zcdp" ? price : { ...price, epsilon: greater(price.epsilon, least.epsilon) };
}

const greater = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);
