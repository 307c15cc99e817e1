import { canonicalJson, compare, one, parseRational, zero } from "@lethe/core";
import {
  type BoundQuery,
  bindQuestion,
  type Plan,
  type PlanOptions,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  withoutTarget,
} from "@lethe/query";
import { type Verdict, verdict } from "./check.ts";

/**
 * The certificate's question, planned again under the policy given, asks for the same computation. How much noise was
 * bought is not compared: what the caller said beside the question is not part of the certificate, and the price has
 * its own checks.
 */
export async function questionPlansTheSame(plan: Plan, policy: Policy): Promise<Verdict> {
  const asked = bindQuestion(await parseQuestion(plan.text, plan.parameters), policy);
  // A target error is another way to buy noise.
  const question = { ...asked, options: withoutTarget(asked.options, asked.options.epsilon) };
  const again = planQuestion(question, policy, optionsBeside(plan, question), policyHash(policy));
  const [stated, derived] = [computation(plan), computation(again)];
  const amiss = [...new Set([...Object.keys(stated), ...Object.keys(derived)])].filter(
    (part) => canonicalJson(stated[part] ?? null) !== canonicalJson(derived[part] ?? null),
  );
  return verdict(
    amiss.map((part) => `planned again under the policy, the question has other ${part}`),
    "planned again under the policy, the question asks for the same computation",
  );
}

/** Everything of a plan that does not depend on how much noise was bought. */
export function computation({
  event: _,
  price: __,
  measurements,
  trees,
  keys,
  ...rest
}: Plan): Record<string, unknown> {
  const { program } = keys;
  return {
    ...rest,
    measurements: measurements.map(({ noise: ___, ...measured }) => measured),
    trees: (trees ?? []).map(({ noise: ___, ...measured }) => measured),
    keys: { ...keys, program: program.kind === "private" ? program.kind : program },
  };
}

/** What may have been said beside the question, as far as it bears on the computation. Any ε serves. */
function optionsBeside({ price, keys }: Plan, { options }: BoundQuery): PlanOptions {
  const delta = price.measure === "pure" ? zero : parseRational(price.delta);
  const selection = keys.program.kind;
  return {
    epsilon: options.epsilon ? null : one,
    delta: options.delta || compare(delta, zero) === 0 ? null : delta,
    groupSelection: options.groupSelection || selection === "none" ? null : selection,
  };
}
