import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { verify } from "../checks/verify.ts";
import type { LearnedArgument } from "../learned-bounds/learned-arguments.ts";
import type { PlanOptions } from "../merge-options.ts";
import { type DerivedQuestion, deriveSensitivity } from "../passes/derive-sensitivity.ts";
import { limitContributions } from "../passes/limit-contributions.ts";
import { trackUnit } from "../passes/track-unit.ts";

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
