import { elementAt } from "@lethe/core/numeric";
import type { Release } from "@lethe/gateway";
import { type Plan, planAlone, stagePlan } from "@lethe/query";
import { vectorsOf } from "../refuted-claims.ts";

/** The plans that a database was asked for on the way to a release, in their order: one for each question of a text, with the record of that question alone. */
export function plansRun({ certificate: { plan, pilot, target } }: Release): readonly Plan[] {
  const questions = plan.others ? [planAlone(plan), ...plan.others.map((other) => other.plan)] : [plan];
  const own = questions.flatMap((each) => (each.learned ? [stagePlan(each), each] : [each]));
  if (pilot === undefined) return own;
  // Without a target the second request was not paid: the plan is the pilot's.
  return target === undefined ? plansRun(pilot) : [...plansRun(pilot), ...own];
}

/** How many statements a plan is. */
export function statementsOf({ trees = [] }: Plan): number {
  return 1 + trees.length;
}

/** How far neighbours may move what each part of a release is given. */
export function limitsOf(plan: Plan): ReadonlyMap<string, Limit> {
  const { measurements, trees = [], totals = [] } = plan;
  const alone = (name: string, one: Claimed) => [name, limitOf(name, one)] as const;
  return new Map([
    ...vectorsOf(plan).flatMap((places) => {
      const [first = 0] = places;
      return places.map(
        (at) => [`measurement ${at}`, limitOf(`measurement ${first}`, elementAt(measurements, at))] as const,
      );
    }),
    ...trees.map((one, at) => alone(`tree ${at}`, one)),
    ...totals.flatMap((total, of) =>
      total.measurements.map((one, at) => alone(`total ${of} measurement ${at}`, one)),
    ),
  ]);
}

export interface Limit {
  /** The part that stands for all that have one noise together, whose distances add up. */
  readonly vector: string;
  readonly l1: bigint;
  readonly l2Squared: bigint;
}

interface Claimed {
  readonly l1: string;
  readonly l2Squared: string;
}

function limitOf(vector: string, { l1, l2Squared }: Claimed): Limit {
  return { vector, l1: BigInt(l1), l2Squared: BigInt(l2Squared) };
}
