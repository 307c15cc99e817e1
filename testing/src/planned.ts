import { parseRational } from "@lethe/core";
import {
  bindQuestion,
  type Plan,
  type PlanOptions,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
} from "@lethe/query";

/** Text to plan, at ε = 1 unless the options say otherwise. */
export async function planned(text: string, policy: Policy, options: PlanOptions = {}): Promise<Plan> {
  const question = bindQuestion(await parseQuestion(text), policy);
  const epsilon = question.options.epsilon === null ? parseRational("1") : null;
  return planQuestion(question, policy, { epsilon, ...options }, policyHash(policy));
}
