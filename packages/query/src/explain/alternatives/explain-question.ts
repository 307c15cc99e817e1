import { parseRational } from "@lethe/core";
import { pilotOf } from "../../plan/error-target/pilot.ts";
import { planAsked, withoutTarget } from "../../plan/error-target/plan-asked.ts";
import type { ReleasedNumbers } from "../../plan/error-target/reached-target.ts";
import { expectedGroupRows } from "../../plan/expected-error/expected-group-rows.ts";
import { mergeOptions, type PlanOptions } from "../../plan/merge-options.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { explainPilot } from "../explain-pilot.ts";
import { explainPlan } from "../explain-plan.ts";
import type { Explanation } from "../explanation.ts";
import { alternativesOf } from "./alternatives-of.ts";

/** The rows of a group at which changes are compared where neither the question nor the policy states any. */
const usualRows = 1000;

/**
 * Explains a question: its steps and its price, the expected errors of its answers, and the changes that would make it cheaper.
 * The result depends on a bound question, the policy, the options and the release that they name alone. Errors: those of
 * planAsked.
 * @example explainQuestion(resolveQuestion(await parseQuestion(text), policy), policy, { epsilon }, policyHash(policy)).alternatives
 */
export function explainQuestion(
  question: ResolvedQuery,
  policy: Policy,
  stated: PlanOptions,
  policyHash: string,
  confidence = 0.95,
  released: ReleasedNumbers | null = null,
): Explanation {
  const views = (question.views ?? []).map((name) => ({ name, sql: entryOf(policy.views, name) }));
  return { ...explained(question, policy, stated, policyHash, confidence, released), views };
}

function explained(
  question: ResolvedQuery,
  policy: Policy,
  stated: PlanOptions,
  policyHash: string,
  confidence: number,
  released: ReleasedNumbers | null,
): Explanation {
  const pilot = pilotOf(question, policy, stated, policyHash, confidence);
  if (pilot !== null) return explainPilot(pilot, question, policy, stated, policyHash, confidence);
  const { plan, target, advantage } = planAsked(question, policy, stated, policyHash, confidence, released);
  const explanation = {
    ...explainPlan(plan, policy, confidence, target),
    ...(advantage === null ? {} : { advantage }),
  };
  const options = mergeOptions(question.options, stated);
  const bought = target ?? advantage;
  const epsilon = bought ? parseRational(bought.epsilon) : (options.epsilon ?? policy.defaults.epsilon);
  if (epsilon === null) return explanation;
  const asked = { ...question, options: withoutTarget(options, epsilon) };
  const rows = target?.rows ?? expectedGroupRows(plan, policy) ?? usualRows;
  const alternatives = alternativesOf({ question: asked, plan, policy, epsilon, confidence, rows });
  return { ...explanation, alternatives };
}
