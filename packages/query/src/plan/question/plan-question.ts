import { toText } from "@lethe/core";
import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { verify } from "../checks/verify.ts";
import { assumedBounds, learnedArguments, withBounds } from "../learned-bounds/learned-arguments.ts";
import { mergeOptions, type PlanOptions } from "../merge-options.ts";
import { allocateLoss } from "../passes/allocate-loss.ts";
import { atLeast } from "../passes/least-price.ts";
import { type Measures, measureJointly } from "../passes/measure-jointly.ts";
import { chooseMechanisms } from "../passes/noise/choose-mechanisms.ts";
import type { Plan } from "../plan.ts";
import { deriveQuestion } from "./derive-question.ts";
import { planOf } from "./plan-of.ts";
import { planTogether } from "./plan-together.ts";

/**
 * Plans a question: which integers are computed, with their noise and their price. The plan is plain JSON and a function of the
 * question, the policy and the options alone; `measures` chooses what is measured together. Errors: coded refusals (query.*), each
 * with the rewrite that would be accepted.
 * @example planQuestion(resolveQuestion(parseQuestion(text), policy), policy, { epsilon: parseRational("0.5") }, policyHash(policy))
 */
export function planQuestion(
  question: ResolvedQuery,
  policy: Policy,
  options: PlanOptions,
  policyHash: string,
  measures: Measures = measureJointly,
): Plan {
  const plan = question.others
    ? planTogether(question, policy, { options, policyHash, measures })
    : planned(question, policy, options, policyHash, measures);
  if (policy.leastEpsilon === undefined) return plan;
  const price = atLeast(plan.price, policy, mergeOptions(question.options, options));
  return { ...plan, leastEpsilon: toText(policy.leastEpsilon), price };
}

function planned(
  question: ResolvedQuery,
  policy: Policy,
  options: PlanOptions,
  policyHash: string,
  measures: Measures,
): Plan {
  const learned = learnedArguments(question);
  const assumed = withBounds(question, learned, learned.map(assumedBounds));
  const derived = deriveQuestion(assumed, policy, options, learned);
  const chosen = verify.chosen(chooseMechanisms(derived));
  const allocated = verify.allocated(allocateLoss(chosen, measures));
  return planOf(allocated, policyHash);
}
