import { freeNameIn } from "../../../refusals/by-name.ts";
import type { CombinedTotal } from "../../plan.ts";
import { treeSensitivity } from "../../sensitivity.ts";
import { unitContribution } from "../../unit-contribution.ts";
import type { DerivedQuestion } from "../derive-sensitivity.ts";
import type { DerivedMeasurement } from "../derived-measurement.ts";
import { groupsAtMost } from "../limit-contributions.ts";
import type { Cells } from "./cells.ts";
import { importanceOf } from "./importance-of.ts";
import type { Measured } from "./measured.ts";
import { SumList } from "./sum-list.ts";

/**
 * Returns what is measured with cells in place of the measurements that are read from them (proof: ../../sensitivity.proof.md). `asked` is the question
 * with every total measured by itself.
 */
export function withCells(asked: DerivedQuestion, measured: Measured, cells: Cells): Measured {
  const { adjacency, contribution, keys, trees } = asked;
  const { combined } = measured;
  const reach = unitContribution(contribution);
  const replaced = new Set(cells.read.map(({ total }) => total.measurement.name));
  const kept = measured.measurements.filter(({ name }) => !replaced.has(name));
  const all = groupsAtMost(keys);
  const most = BigInt(reach.rows) * cells.whole;
  const { l1, l2Squared } = treeSensitivity(adjacency, {
    ...{ most, levels: 1n, groups: BigInt(reach.fullGroups) },
    allGroups: Number.isFinite(all) ? BigInt(all) : null,
  });
  const importance = importanceOf(asked, cells, most);
  const sums = new SumList(measured.sums);
  const names = new Set([...measured.measurements, ...trees, ...combined].map(({ name }) => name));
  const range = { low: 0n, high: most };
  const members: DerivedMeasurement[] = [];
  for (const { describes, terms } of cells.members) {
    const name = freeNameIn(names, describes);
    names.add(name);
    const named = terms.map(({ sum, coefficient }) => ({ sum: sums.nameOf(sum), coefficient }));
    // Member by member: spreading objects of bigints is most of the work of trying a way.
    members.push({ name, terms: named, l1, l2Squared, range, magnitude: most, importance, together: true });
  }
  const first = measured.measurements.findIndex(({ name }) => replaced.has(name));
  const measurements = [...kept.slice(0, first), ...members, ...kept.slice(first)];
  const unread = new Set(cells.read.map(({ total }) => total.sum.name));
  for (const { terms } of measurements) for (const { sum } of terms) unread.delete(sum);
  return {
    sums: sums.all.filter(({ name }) => !unread.has(name)),
    measurements,
    joint: [...measured.joint, members.map(({ name }) => name)],
    combined: [...combined, ...combinedOf(cells, members)],
  };
}

function combinedOf(cells: Cells, members: readonly DerivedMeasurement[]): readonly CombinedTotal[] {
  return cells.read.map(({ total, coefficients }) => ({
    name: total.measurement.name,
    terms: members.flatMap(({ name: measurement }, at) =>
      coefficients[at] ? [{ measurement, coefficient: `${coefficients[at]}` }] : [],
    ),
    divisor: `${cells.whole}`,
  }));
}
