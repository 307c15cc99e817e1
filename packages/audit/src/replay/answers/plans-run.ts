import type { Release } from "@lethe/gateway";
import { type Plan, stagePlan } from "@lethe/query";

/** The plans that a database was asked for on the way to a release, in their order. */
export function plansRun({ certificate: { plan, pilot, target } }: Release): readonly Plan[] {
  const own = plan.learned ? [stagePlan(plan), plan] : [plan];
  if (pilot === undefined) return own;
  // Without a target the second request was not paid: the plan is the pilot's.
  return target === undefined ? plansRun(pilot) : [...plansRun(pilot), ...own];
}

/** How many statements a plan is. */
export function statementsOf({ trees = [] }: Plan): number {
  return 1 + trees.length;
}

/** How far neighbours may move what each part of a release is given. */
export function limitsOf({ measurements, trees = [], totals = [] }: Plan): ReadonlyMap<string, Limit> {
  return new Map([
    ...measurements.map((one, at) => [`measurement ${at}`, limitOf(one)] as const),
    ...trees.map((one, at) => [`tree ${at}`, limitOf(one)] as const),
    ...totals.flatMap((total, of) =>
      total.measurements.map((one, at) => [`total ${of} measurement ${at}`, limitOf(one)] as const),
    ),
  ]);
}

export interface Limit {
  readonly l1: bigint;
  readonly l2Squared: bigint;
}

function limitOf({ l1, l2Squared }: { readonly l1: string; readonly l2Squared: string }): Limit {
  return { l1: BigInt(l1), l2Squared: BigInt(l2Squared) };
}
