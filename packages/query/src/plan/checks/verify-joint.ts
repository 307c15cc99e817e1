import { elementAt } from "@lethe/core/numeric";
import { familyOf } from "../../aggregates/family-of.ts";
import { byName } from "../../refusals/by-name.ts";
import type { AllocatedQuestion } from "../passes/allocate-loss.ts";
import { groupsAtMost } from "../passes/limit-contributions.ts";
import type { Measurement } from "../plan.ts";
import { unitContribution } from "../unit-contribution.ts";

type Demand = (holds: boolean, broken: string) => void;

/**
 * Measurements that have one noise together are in one set, share noise and sensitivity, and hide all that one unit can have in any of them in all of
 * its groups; answers name measurements, or totals that are read from some.
 */
export function verifyJoint(question: AllocatedQuestion, demand: Demand): void {
  const { measurements, priced, trees, joint, combined, aggregates, contribution } = question;
  const together = joint.flat();
  demand(new Set(together).size === together.length, "a measurement that has its noise with two others");
  demand(
    joint.every((names) => names.length > 1),
    "a measurement that has its noise with no other",
  );
  demand(joint.length === 0 || question.stages.length === 0, "noise together within bounds that are learned");
  demand(joint.length === 0 || !question.question.groupings, "noise together for several groupings");
  for (const names of joint) {
    const [first, ...others] = names.map((name) => byName(priced, name));
    const shared = ({ noise, l1, l2Squared }: Measurement): string => JSON.stringify([noise, l1, l2Squared]);
    demand(
      others.every((each) => shared(each) === shared(first!)),
      "noise together that is not the same",
    );
    const { magnitude } = byName(measurements, elementAt(names, 0));
    const groups = Math.min(unitContribution(contribution).fullGroups, groupsAtMost(question.keys));
    demand(BigInt(first!.l1) >= BigInt(groups) * magnitude, "noise together that hides less than one unit");
  }
  const names = [...measurements, ...trees, ...combined].map(({ name }) => name);
  demand(new Set(names).size === names.length, "two totals of one name");
  for (const { terms } of combined)
    for (const { measurement } of terms)
      demand(together.includes(measurement), "a total of what is measured alone");
  const known = new Set(names);
  demand(
    aggregates.every((aggregate) =>
      familyOf(aggregate)
        .measurements(aggregate)
        .every((name) => known.has(name)),
    ),
    "an answer of what is not measured",
  );
}
