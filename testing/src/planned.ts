import { parseRational } from "@lethe/core";
import {
  applyLearnedBounds,
  cellTests,
  type Plan,
  type PlanOptions,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  resolveQuestion,
  stagePlan,
} from "@lethe/query";

/** Text to plan, at ε = 1 unless the options say otherwise. */
export async function planned(text: string, policy: Policy, options: PlanOptions = {}): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  const epsilon = question.options.epsilon === null ? parseRational("1") : null;
  return planQuestion(question, policy, { epsilon, ...options }, policyHash(policy));
}

/**
 * All plans that an engine is asked for, of a question whose bounds are learned: that of its stages, and what a frozen release
 * of theirs makes of the rest. Of every other question its plan.
 */
export async function plannedStages(
  text: string,
  policy: Policy,
  options: PlanOptions = {},
): Promise<readonly Plan[]> {
  const plan = await planned(text, policy, options);
  if (!plan.learned) return [plan];
  const question = resolveQuestion(await parseQuestion(text), policy);
  const epsilon = question.options.epsilon === null ? parseRational("1") : null;
  // Different questions find values in different places.
  const share = (text.length % 11) / 11;
  const frozen = plan.learned.stages.map(({ ends }) => {
    const cells = cellTests(ends).length + 1;
    return Array.from({ length: cells }, (_, at) => (at === Math.floor(share * cells) ? 2 ** 40 : 0));
  });
  return [stagePlan(plan), applyLearnedBounds(plan, question, policy, { epsilon, ...options }, frozen)];
}
