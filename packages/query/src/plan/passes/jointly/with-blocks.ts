import type { SumColumn } from "../../../aggregates/kinds.ts";
import type { Adjacency } from "../../../policy/policy.ts";
import { freeName } from "../../../refusals/by-name.ts";
import type { CombinedTotal } from "../../plan.ts";
import { magnitude, type Sensitivity, treeSensitivity } from "../../sensitivity.ts";
import { unitContribution } from "../../unit-contribution.ts";
import type { DerivedQuestion } from "../derive-sensitivity.ts";
import type { DerivedMeasurement } from "../derived-measurement.ts";
import { groupsAtMost } from "../limit-contributions.ts";
import type { Block, CountOfAll, DisjointBlocks } from "./disjoint-blocks.ts";
import type { Measured } from "./measured.ts";
import { SumList } from "./sum-list.ts";

/** Blocks are multiplied until all move as far, to a thousandth, where they do not divide each other. */
const fineness = 1024n;

/**
 * Returns what is measured with blocks as one vector, each multiplied by an integer so that a unit moves all of them about as far (proof:
 * ../../sensitivity.proof.md, "Disjoint conditions"). Null where there is nothing to move.
 */
export function withBlocks(
  question: DerivedQuestion,
  measured: Measured,
  { blocks, all }: DisjointBlocks,
): Measured | null {
  const farthest = blocks.map(magnitude).reduce(larger, 0n);
  if (farthest === 0n || blocks.some((block) => magnitude(block) === 0n)) return null;
  const divide = blocks.every((block) => farthest % magnitude(block) === 0n);
  const scaled = blocks.map((block): Scaled => {
    const times = ((divide ? 1n : fineness) * farthest) / magnitude(block);
    return { block, times, low: times * block.low, high: times * block.high };
  });
  const most = scaled.map(magnitude).reduce(larger, 0n);
  const counted = all?.of === "units" ? 1n : BigInt(unitContribution(question.contribution).rows);
  // With the rest every row, or every unit, adds as much to the whole vector.
  if (all && most % counted !== 0n) return null;
  const sums = new SumList(measured.sums);
  const taken = [...measured.measurements, ...question.trees, ...measured.combined];
  const renamed = new Map<string, string>();
  const members = scaled.flatMap(({ block, times }) =>
    block.members.map((member): Named => {
      const isTotal = block.members.length === 1;
      const name = times === 1n || !isTotal ? member.name : freeName(`${times} × ${member.name}`, taken);
      renamed.set(member.name, name);
      const terms = member.terms.map((term) => ({
        ...term,
        coefficient: `${times * BigInt(term.coefficient)}`,
      }));
      return { name, terms };
    }),
  );
  const rest = all ? [restOf(all, members, most / counted, freeName(restNames[all.of], taken), sums)] : [];
  const { l1, l2Squared } = sensitivityOf(question, scaled, most);
  const range = { low: 0n, high: most };
  const importance = importanceOf(scaled, most, all ? [all.total, members.length + 1] : null);
  const together = [...members, ...rest].map(
    ({ name, terms }): DerivedMeasurement => ({
      ...{ name, terms, l1, l2Squared },
      ...{ range, magnitude: most, importance, together: true },
    }),
  );
  return {
    sums: sums.all,
    measurements: placed(measured, together, renamed, all?.total ?? null),
    joint: [
      ...measured.joint.filter((names) => !names.some((name) => renamed.has(name))),
      together.map(({ name }) => name),
    ],
    combined: [
      ...measured.combined.map((total) => multiplied(total, scaled)),
      ...scaled.flatMap(({ block, times }) => divided(block, times, renamed)),
      ...(all ? [sumOfAll(all.total, together, most / counted)] : []),
    ],
  };
}

const restNames: Readonly<Record<CountOfAll["of"], string>> = {
  rows: "rows of no other condition",
  units: "rows that units could have more",
};

/** What is measured, before it is said how far a unit moves it. */
type Named = Pick<DerivedMeasurement, "name" | "terms">;

interface Scaled {
  readonly block: Block;
  readonly times: bigint;
  readonly low: bigint;
  readonly high: bigint;
}

/** Each of a unit's rows moves one block alone: all of them the same way in one block is farthest. */
function sensitivityOf(
  { adjacency, contribution, keys }: Pick<DerivedQuestion, "adjacency" | "contribution" | "keys">,
  scaled: readonly Scaled[],
  most: bigint,
): Sensitivity {
  const all = groupsAtMost(keys);
  const { l1, l2Squared } = treeSensitivity(adjacency, {
    ...{ most, levels: 1n, groups: BigInt(unitContribution(contribution).fullGroups) },
    allGroups: Number.isFinite(all) ? BigInt(all) : null,
  });
  if (l1 === 0n) return { l1, l2Squared };
  // A unit at the low end of a signed sum that one at its high end replaces moves it farther than two cells.
  const across = scaled.map(({ low, high }) => (high - low) ** 2n).reduce(larger, 0n);
  return { l1, l2Squared: farthestFor[adjacency](l2Squared, across) };
}

const farthestFor: Readonly<Record<Adjacency, (apart: bigint, across: bigint) => bigint>> = {
  "add-or-remove-one": (apart) => apart,
  "replace-one": larger,
};

/** Returns the weight of the vector's error in all answers that are read from it, in units of the most that a unit changes it. */
function importanceOf(
  scaled: readonly Scaled[],
  most: bigint,
  all: readonly [total: DerivedMeasurement, parts: number] | null,
): number {
  const ofBlocks = scaled.map(({ block, times }) => {
    const [{ importance } = { importance: 0 }] = block.members;
    return importance * (Number(most) / Number(times * magnitude(block))) ** 2;
  });
  return ofBlocks.reduce((sum, each) => sum + each, all ? all[0].importance * all[1] : 0);
}

/** Returns what is missing in all members together: of `whole` for each row, or for each unit, what it does not add to them. */
function restOf(
  { of }: Pick<CountOfAll, "of">,
  members: readonly Named[],
  whole: bigint,
  name: string,
  sums: SumList,
): Named {
  const counted: SumColumn = of === "rows" ? { kind: "count", argument: null } : { kind: "units" };
  const ofAll = { sum: sums.nameOf(counted), coefficient: `${whole}` };
  const less = new Map<string, bigint>();
  for (const { sum, coefficient } of members.flatMap(({ terms }) => terms))
    less.set(sum, (less.get(sum) ?? 0n) - BigInt(coefficient));
  const others = [...less].filter(([, coefficient]) => coefficient !== 0n);
  return {
    name,
    terms: [ofAll, ...others.map(([sum, coefficient]) => ({ sum, coefficient: `${coefficient}` }))],
  };
}

/** Returns all measurements, those of the vector in the place of the first of them. */
function placed(
  { measurements }: Measured,
  together: readonly DerivedMeasurement[],
  renamed: ReadonlyMap<string, string>,
  all: DerivedMeasurement | null,
): readonly DerivedMeasurement[] {
  const isGone = ({ name }: DerivedMeasurement): boolean => renamed.has(name) || name === all?.name;
  const first = measurements.findIndex(isGone);
  return [
    ...measurements.slice(0, first),
    ...together,
    ...measurements.slice(first).filter((each) => !isGone(each)),
  ];
}

/** Returns a total that is read from cells which are multiplied. */
function multiplied(total: CombinedTotal, scaled: readonly Scaled[]): CombinedTotal {
  const [first] = total.terms;
  const found = scaled.find(({ block }) => block.members.some(({ name }) => name === first?.measurement));
  return found ? { ...total, divisor: `${BigInt(total.divisor) * found.times}` } : total;
}

/** Returns a total that was measured by itself, where a multiple of it is measured now. */
function divided(
  { members }: Block,
  times: bigint,
  renamed: ReadonlyMap<string, string>,
): readonly CombinedTotal[] {
  const [only, ...others] = members;
  if (times === 1n || !only || others.length > 0) return [];
  const measurement = renamed.get(only.name) ?? only.name;
  return [{ name: only.name, terms: [{ measurement, coefficient: "1" }], divisor: `${times}` }];
}

function sumOfAll(
  { name }: DerivedMeasurement,
  together: readonly DerivedMeasurement[],
  whole: bigint,
): CombinedTotal {
  return {
    name,
    terms: together.map(({ name: measurement }) => ({ measurement, coefficient: "1" })),
    divisor: `${whole}`,
  };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
