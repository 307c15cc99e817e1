import { parseQuestion, planQuestion, policyHash, resolveQuestion } from "@lethe/query";

export async function planned(question, policy, options = {}) {
  return planQuestion(
    resolveQuestion(await parseQuestion(question), policy),
    policy,
    options,
    policyHash(policy),
  );
}
