import type { LearnedArgument } from "../learned/learned-arguments.ts";
import type { Policy } from "../policy/policy.ts";
import type { ResolvedQuery } from "../resolve/resolved-query.ts";
import type { PlanOptions } from "./merge-options.ts";
import { type DerivedQuestion, deriveSensitivity } from "./passes/derive-sensitivity.ts";
import { limitContributions } from "./passes/limit-contributions.ts";
import { trackUnit } from "./passes/track-unit.ts";
import { verify } from "./verify.ts";

/** The first three passes: what is measured, and how far one unit moves it. */
export function deriveQuestion(
  question: ResolvedQuery,
  policy: Policy,
  options: PlanOptions,
  learned: readonly LearnedArgument[],
): DerivedQuestion {
  const tracked = verify.tracked(trackUnit(question, policy, options));
  const bounded = verify.bounded(limitContributions(tracked));
  return verify.derived(deriveSensitivity(bounded, learned));
}
