import { LetheError, lossFromJson, type PrivacyLoss, type Rational, toText } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { mergeOptions, type PlanOptions } from "../merge-options.ts";
import type { Plan } from "../plan.ts";
import { planQuestion } from "../question/plan-question.ts";
import { widestError } from "./answer-errors.ts";
import { epsilonAt, lastPlace } from "./four-digits.ts";
import { withoutTarget } from "./plan-asked.ts";

/** The error that a budget would reach instead of a target, and its ε. */
export interface ErrorWithin {
  readonly halfWidth: number;
  readonly epsilon: string;
}

/**
 * The widest half-width of a question's answers at the largest ε of four digits whose price fits a budget; null where no
 * price does. `rows` as the target's.
 */
export function errorWithin(
  budget: PrivacyLoss,
  question: ResolvedQuery,
  policy: Policy,
  stated: PlanOptions,
  policyHash: string,
  { confidence, rows }: { readonly confidence: number; readonly rows: number | null },
): ErrorWithin | null {
  const options = mergeOptions(question.options, stated);
  const planAt = (epsilon: Rational): Plan =>
    planQuestion({ ...question, options: withoutTarget(options, epsilon) }, policy, {}, policyHash);
  const fits = (place: number): boolean => isPayable(() => planAt(epsilonAt(place)), budget);
  if (!fits(0)) return null;
  let [payable, dear] = [0, lastPlace + 1];
  while (dear - payable > 1) {
    const middle = Math.floor((payable + dear) / 2);
    if (fits(middle)) payable = middle;
    else dear = middle;
  }
  const epsilon = epsilonAt(payable);
  return { halfWidth: widestError(planAt(epsilon), confidence, rows), epsilon: toText(epsilon) };
}

/** Whether a plan can be paid; a price too small to be planned for cannot. */
function isPayable(plan: () => Plan, budget: PrivacyLoss): boolean {
  try {
    return lossFits(lossFromJson(plan().price), budget);
  } catch (error) {
    if (error instanceof LetheError) return false;
    throw error;
  }
}
