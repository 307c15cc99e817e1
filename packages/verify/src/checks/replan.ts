import { parseRational } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { compare, elementAt, one, zero } from "@lethe/core/numeric";
import {
  applyLearnedBounds,
  type Measures,
  measureAlone,
  measureJointly,
  type Plan,
  type PlanOptions,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  type ResolvedQuery,
  resolveQuestion,
  withoutTarget,
  withPublicRows,
} from "@lethe/query";
import { calledAs } from "../derive/called-as.ts";
import { failed, type Verdict, verdict } from "./check.ts";

/**
 * The certificate's question, planned again under the policy given, asks for the same computation. How much noise was
 * bought is not compared: what the caller said beside the question is not part of the certificate, and the price has
 * its own checks. Answers of a plan of version 1 had places and no names: those in the same places are taken to be the same.
 */
export async function questionPlansTheSame(
  plan: Plan,
  policy: Policy,
  planVersion: 1 | 2 = 2,
): Promise<Verdict> {
  const asked = resolveQuestion(await parseQuestion(plan.text, plan.parameters, plan.today ?? null), policy);
  // A target error is another way to buy noise.
  const question = { ...asked, options: withoutTarget(asked.options, asked.options.epsilon) };
  const beside = optionsBeside(plan, question);
  // Models, and releases from before a WHERE narrowed public keys, answer every one.
  const every = plansTheSame(plan, question, policy, { ...beside, everyPublicKey: true }, planVersion);
  return every.outcome === "passed" ? every : plansTheSame(plan, question, policy, beside, planVersion);
}

function plansTheSame(
  plan: Plan,
  question: ResolvedQuery,
  policy: Policy,
  beside: PlanOptions,
  planVersion: 1 | 2,
): Verdict {
  const counts = (plan.learned?.stages ?? []).map((stage) => stage.counts ?? []);
  const asPlanned = planQuestion(question, policy, beside, policyHash(policy), measuresOf(plan));
  if (asPlanned.learned?.stages.length !== plan.learned?.stages.length)
    return failed("planned again under the policy, the question learns other bounds");
  // The rule that makes bounds of noisy counts looks at how much noise they have.
  const stages = plan.learned?.stages ?? [];
  const again = applyLearnedBounds(
    asPlanned.learned
      ? {
          ...asPlanned,
          learned: {
            ...asPlanned.learned,
            stages: asPlanned.learned.stages.map((stage, at) => ({
              ...stage,
              noise: elementAt(stages, at).noise,
            })),
          },
        }
      : asPlanned,
    question,
    policy,
    beside,
    counts,
  );
  const compared = planVersion === 1 ? calledAs(plan, again.aggregates) : plan;
  const [stated, derived] = [computation(compared), computation(again)];
  const amiss = [...new Set([...Object.keys(stated), ...Object.keys(derived)])].filter(
    (part) => canonicalJson(stated[part] ?? null) !== canonicalJson(derived[part] ?? null),
  );
  return verdict(
    amiss.map((part) => `planned again under the policy, the question has other ${part}`),
    "planned again under the policy, the question asks for the same computation",
  );
}

/**
 * Returns the choice of what is measured together: none where the plan has none, as in a workload or before there was a choice; else that which is made
 * for its kind of noise.
 */
function measuresOf(plan: Plan): Measures {
  const plans = [plan, ...(plan.others ?? []).map((other) => other.plan)];
  if (plans.every(({ joint }) => !joint)) return measureAlone;
  const isLaplace = plans
    .flatMap(({ measurements }) => measurements)
    .some(({ noise }) => noise.mechanism === "discrete-laplace@1");
  return (asked) => measureJointly(asked, isLaplace ? "laplace" : "gaussian");
}

/**
 * Everything of a plan that does not depend on how much noise was bought, or on the least that it had to cost. Whether other tables hold units has its own check
 * (./presence.ts), and plans of version 1 may say less of it.
 */
export function computation({
  event: _,
  price: __,
  leastEpsilon: _leastEpsilon,
  unit: { shared: _shared, ...unit },
  measurements,
  trees,
  totals,
  keys,
  learned,
  others,
  over,
  ...rest
}: Plan): Record<string, unknown> {
  const { program } = keys;
  return {
    ...rest,
    // The rows of public tables are read once somebody pays, and planning reads none.
    ...(over ? { over: withPublicRows(over, () => []) } : {}),
    ...(others ? { others: others.map(({ name, plan }) => ({ name, plan: computation(plan) })) } : {}),
    unit,
    measurements: measurements.map(({ noise: ___, ...measured }) => measured),
    learned: (learned?.stages ?? []).map(({ noise: ___, ...stage }) => stage),
    trees: (trees ?? []).map(({ noise: ___, ...measured }) => measured),
    totals: (totals ?? []).map(({ share: ___, measurements: measured, ...total }) => ({
      ...total,
      measurements: measured.map(({ noise: ____, ...each }) => each),
    })),
    keys: { ...keys, program: program.kind === "private" ? program.kind : program },
  };
}

/** Returns the keys that a question has. Whoever asks for a private selection is not told all public keys of a total. */
function selectionOf({ keys, totals = [] }: Plan): Plan["keys"]["program"]["kind"] {
  const isListed = totals.some((total) => total.declared !== undefined && total.keys.length > 0);
  return isListed ? "none" : keys.program.kind;
}

/** Returns the options that may have been stated beside the question, as far as they bear on the computation. Any ε serves. */
function optionsBeside(plan: Plan, { options }: ResolvedQuery): PlanOptions {
  const { price, others = [] } = plan;
  const delta = price.measure === "pure" ? zero : parseRational(price.delta);
  // Where the questions of a text have keys of both kinds, nobody asked for one.
  const kinds = new Set([plan, ...others.map((other) => other.plan)].map(selectionOf));
  kinds.delete("none");
  const [selection = "none"] = kinds.size === 1 ? kinds : [];
  return {
    epsilon: options.epsilon ? null : one,
    delta: options.delta || compare(delta, zero) === 0 ? null : delta,
    groupSelection: options.groupSelection || selection === "none" ? null : selection,
  };
}
