import { canonicalJson } from "@lethe/core/canonical";
import type { CombinedTotal, Plan } from "@lethe/query";
import { named } from "../derive/named.ts";
import { deriveJointSensitivity } from "./joint-sensitivity.ts";

/**
 * Yields what is wrong with measurements that have one noise together. Each must be in one set, have the noise and the sensitivity of all others of it,
 * and hide all that one unit can change in the whole set at once.
 */
export function* jointAmiss(plan: Plan): Iterable<string> {
  const { joint = [], groupings, learned } = plan;
  if (plan.joint && joint.length === 0) yield "noise is said to be together for nothing";
  if (learned && joint.length > 0)
    yield "noise together within bounds that are learned has no price of its own";
  if (groupings && joint.length > 0)
    yield "noise together for several groupings leaves totals that do not add up";
  const all = joint.flat();
  const twice = all.filter((name, at) => all.indexOf(name) < at);
  for (const name of twice) yield `${JSON.stringify(name)} has its noise together with others twice`;
  if (twice.length > 0) return;
  for (const names of joint) {
    if (names.length < 2) yield `${names.join()} has its noise together with nothing`;
    yield* vectorAmiss(names, plan);
  }
}

function* vectorAmiss(names: readonly string[], plan: Plan): Iterable<string> {
  const vector = names.map((name) => named(plan.measurements, name));
  const derived = deriveJointSensitivity(vector, plan);
  const together = names.join(" and ");
  const shared = new Set(vector.map(({ noise, l1, l2Squared }) => canonicalJson([noise, l1, l2Squared])));
  if (shared.size > 1) yield `${together} have one noise together, and state several`;
  for (const { name, l1, l2Squared, noise } of vector) {
    if (noise.mechanism === "constant@1" && derived.l1 !== 0n)
      yield `${name} is released without noise, and one unit can change it`;
    if (BigInt(l1) < derived.l1)
      yield `${name} states ℓ1 sensitivity ${l1}; together, ${together} have ${derived.l1}`;
    if (BigInt(l2Squared) < derived.l2Squared)
      yield `${name} states squared ℓ2 sensitivity ${l2Squared}; together, ${together} have ${derived.l2Squared}`;
  }
}

/**
 * Yields what is wrong with totals that are read from several measurements: each is of measurements that exist, each once, and stands for an integer
 * combination of the plan's sums, since it is rounded to an integer.
 */
export function* combinedAmiss(plan: Plan): Iterable<string> {
  if (plan.combined?.length === 0) yield "totals are said to be combined, and none is";
  for (const total of plan.combined ?? []) {
    const { name, terms, divisor } = total;
    const measured = terms.map(({ measurement }) => measurement);
    const missing = measured.filter((each) => !plan.measurements.some((known) => known.name === each));
    for (const each of missing) yield `there is no measurement ${JSON.stringify(each)}`;
    if (missing.length > 0) continue;
    if (terms.length === 0 || new Set(measured).size < terms.length)
      yield `${name} is made of a measurement twice, or of none`;
    const isWhole =
      BigInt(divisor) > 0n && coefficientsOf(total, plan).every((each) => each % BigInt(divisor) === 0n);
    if (!isWhole) yield `${name} is no sum of the plan's sums`;
  }
}

/** Returns what each of the plan's sums is multiplied by in a combined total, before it is divided. */
function coefficientsOf({ terms }: CombinedTotal, { measurements }: Plan): readonly bigint[] {
  const bySum = new Map<string, bigint>();
  for (const { measurement, coefficient } of terms)
    for (const term of named(measurements, measurement).terms)
      bySum.set(term.sum, (bySum.get(term.sum) ?? 0n) + BigInt(coefficient) * BigInt(term.coefficient));
  return [...bySum.values()];
}
