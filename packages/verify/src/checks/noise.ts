import type { Measurement, Plan } from "@lethe/query";
import { differences, tallyOfEvent, tallyOfPlan } from "../derive/event.ts";
import { deriveSensitivity, deriveTotalSensitivity } from "../derive/sensitivity.ts";
import { deriveTreeSensitivity } from "../derive/tree-sensitivity.ts";
import { ownEvent } from "../others/other-answers.ts";
import { combinedAmiss, jointAmiss } from "../together/joint-amiss.ts";
import { type Verdict, verdict } from "./check.ts";
import { groupingsAmiss } from "./groupings.ts";

/** No measurement claims that one unit can change it by less than the plan's own bounds allow. */
export function sensitivitiesHold(plan: Plan): Verdict {
  const amiss: string[] = [...jointAmiss(plan)];
  // What has its noise together with others is bounded by the whole of them.
  const isAlone = ({ name }: Measurement): boolean => !plan.joint?.some((names) => names.includes(name));
  const all = [
    ...plan.measurements.filter(isAlone).map((each) => [each, deriveSensitivity(each, plan)] as const),
    ...(plan.trees ?? []).map((each) => [each, deriveTreeSensitivity(each, plan)] as const),
    ...(plan.totals ?? []).flatMap((totals) =>
      totals.measurements.map((each) => [each, deriveTotalSensitivity(each, totals, plan)] as const),
    ),
  ];
  for (const [measurement, derived] of all) {
    const { name, l1, l2Squared, noise } = measurement;
    if (BigInt(l1) < derived.l1) amiss.push(`${name} states ℓ1 sensitivity ${l1}; it is ${derived.l1}`);
    if (BigInt(l2Squared) < derived.l2Squared) {
      amiss.push(`${name} states squared ℓ2 sensitivity ${l2Squared}; it is ${derived.l2Squared}`);
    }
    if (noise.mechanism === "constant@1" && derived.l1 !== 0n) {
      amiss.push(`${name} is released without noise, and one unit can change it`);
    }
  }
  return verdict(
    amiss,
    "the stated sensitivities follow from unit, adjacency, contribution bounds and grids",
  );
}

/** The event that was priced is made of the noises that the plan draws, at their sensitivities, and of nothing less. */
export function eventFollows(plan: Plan): Verdict {
  return verdict(
    differences(tallyOfEvent(ownEvent(plan)), tallyOfPlan(plan)),
    "the event is the composition of the plan's noises and of its selection of groups",
  );
}

/** The measurements that the answers are made of exist, and read the columns that the plan computes. */
export function measurementsExist(plan: Plan): Verdict {
  const { aggregates, measurements, combined = [], trees = [], sums } = plan;
  const used = aggregates.flatMap((aggregate) => [
    ...("count" in aggregate ? [aggregate.count] : []),
    ...("sum" in aggregate ? [aggregate.sum] : []),
    ...("squares" in aggregate ? [aggregate.squares] : []),
    ...("products" in aggregate ? [aggregate.products] : []),
    ...("otherSum" in aggregate ? [aggregate.otherSum] : []),
  ]);
  const read = measurements.flatMap(({ terms }) => terms.map(({ sum }) => sum));
  const quantiles = aggregates.flatMap((aggregate) => ("tree" in aggregate ? [aggregate.tree] : []));
  const amiss = [
    ...groupingsAmiss(plan),
    ...missingIn(trees, quantiles).map((name) => `there is no tree ${name}`),
    ...combinedAmiss(plan),
    ...missingIn([...measurements, ...combined], used).map((name) => `there is no measurement ${name}`),
    ...missingIn(sums, read).map((name) => `there is no sum ${name}`),
    ...repeatedIn(sums).map((name) => `two sums are called ${name}`),
    ...repeatedIn([...measurements, ...combined, ...trees]).map(
      (name) => `two measurements are called ${name}`,
    ),
  ];
  return verdict(amiss, "answers are made of the plan's measurements alone");
}

interface Named {
  readonly name: string;
}

/** Returns the quoted names that nothing has. */
function missingIn(all: readonly Named[], names: readonly string[]): readonly string[] {
  const known = new Set(all.map(({ name }) => name));
  return names.filter((name) => !known.has(name)).map((name) => JSON.stringify(name));
}

/** Returns the quoted names that stand more than once. */
function repeatedIn(all: readonly Named[]): readonly string[] {
  const seen = new Set<string>();
  return all.flatMap(({ name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew ? [] : [JSON.stringify(name)];
  });
}
