import { freeName } from "../../../refusals/by-name.ts";
import type { CombinedTotal } from "../../plan.ts";
import { treeSensitivity } from "../../sensitivity.ts";
import { unitContribution } from "../../unit-contribution.ts";
import type { DerivedQuestion } from "../derive-sensitivity.ts";
import type { DerivedMeasurement } from "../derived-measurement.ts";
import { groupsAtMost } from "../limit-contributions.ts";
import type { Cells } from "./cells.ts";
import { importanceOf } from "./importance-of.ts";
import { SumList } from "./sum-list.ts";

/**
 * Returns the question with cells in place of the measurements that are read from them (proof: ../../sensitivity.proof.md). `asked` is the question
 * with every total measured by itself.
 */
export function withCells(asked: DerivedQuestion, question: DerivedQuestion, cells: Cells): DerivedQuestion {
  const { adjacency, contribution, keys, trees, combined } = question;
  const reach = unitContribution(contribution);
  const replaced = new Set(cells.read.map(({ total }) => total.measurement.name));
  const kept = question.measurements.filter(({ name }) => !replaced.has(name));
  const all = groupsAtMost(keys);
  const most = BigInt(reach.rows) * cells.whole;
  const sensitivity = treeSensitivity(adjacency, {
    ...{ most, levels: 1n, groups: BigInt(reach.fullGroups) },
    allGroups: Number.isFinite(all) ? BigInt(all) : null,
  });
  const importance = importanceOf(asked, cells, most);
  const sums = new SumList(question.sums);
  const taken = [...question.measurements, ...trees, ...combined];
  const members: DerivedMeasurement[] = [];
  for (const { describes, terms } of cells.members) {
    const name = freeName(describes, [...taken, ...members]);
    const named = terms.map(({ sum, coefficient }) => ({ sum: sums.nameOf(sum), coefficient }));
    const range = { low: 0n, high: most };
    const sensitive = { ...sensitivity, range, magnitude: most, importance };
    members.push({ name, terms: named, ...sensitive, together: true });
  }
  const first = question.measurements.findIndex(({ name }) => replaced.has(name));
  const measurements = [...kept.slice(0, first), ...members, ...kept.slice(first)];
  const read = new Set(measurements.flatMap(({ terms }) => terms.map(({ sum }) => sum)));
  const unread = new Set(cells.read.map(({ total }) => total.sum.name).filter((name) => !read.has(name)));
  return {
    ...question,
    sums: sums.all.filter(({ name }) => !unread.has(name)),
    measurements,
    joint: [...question.joint, members.map(({ name }) => name)],
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
