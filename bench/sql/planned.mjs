import { bindQuestion, parseQuestion, planQuestion, policyHash } from "@lethe/query";

export async function planned(question, policy, options = {}) {
  return planQuestion(
    bindQuestion(await parseQuestion(question), policy),
    policy,
    options,
    policyHash(policy),
  );
}
