import { describe, expect, it } from "vitest";
import type { Adjacency } from "../policy/policy.ts";
import { type ContributionRange, magnitude, sensitivityOf, treeSensitivity } from "./sensitivity.ts";

/** All that a unit may add to the groups: in at most k of them one of the values, in the others nothing. */
function contributions(groups: number, k: number, values: readonly number[]): readonly (readonly number[])[] {
  let all: readonly (readonly number[])[] = [[]];
  for (let at = 0; at < groups; at += 1)
    all = all.flatMap((before) => [
      [...before, 0],
      ...(before.filter((value) => value !== 0).length < k ? values.map((value) => [...before, value]) : []),
    ]);
  return all;
}

/** The greatest distance between two neighbouring data sets, by trying all that one unit can have. */
function greatest(
  adjacency: Adjacency,
  { low, high, groups, allGroups }: ContributionRange,
): readonly [bigint, bigint] {
  const [k, most] = [Number(groups), Number(allGroups ?? 2n * groups)];
  // A value of 0 is like being in no group, where no group is wasted on it.
  const values = [low, high].map(Number).filter((value) => value !== 0);
  const units = contributions(most, k, values);
  const others = adjacency === "replace-one" ? units : [units[0]!];
  let [l1, l2] = [0, 0];
  for (const a of units)
    for (const b of others) {
      const changes = a.map((value, at) => Math.abs(value - b[at]!));
      l1 = Math.max(
        l1,
        changes.reduce((sum, x) => sum + x, 0),
      );
      l2 = Math.max(
        l2,
        changes.reduce((sum, x) => sum + x * x, 0),
      );
    }
  return [BigInt(l1), BigInt(l2)];
}

describe("the sensitivity of a sum by group", () => {
  const ranges: readonly (readonly [bigint, bigint])[] = [
    [1n, 1n],
    [1n, 3n],
    [0n, 2n],
    [-3n, 1n],
    [-1n, 2n],
    [-2n, -1n],
    [0n, 0n],
  ];
  for (const adjacency of ["add-or-remove-one", "replace-one"] as const)
    it(`is the greatest distance that one unit can make: ${adjacency}`, () => {
      for (const [low, high] of ranges)
        for (const [k, counts] of [
          [1n, [1n, 2n, 3n, null]],
          [2n, [1n, 2n, 3n, 4n, 5n, null]],
          [3n, [1n, 2n, 3n, 4n, 5n]],
        ] as const)
          for (const allGroups of counts) {
            const range: ContributionRange = { low, high, groups: k, allGroups, alwaysPresent: false };
            const { l1, l2Squared } = sensitivityOf(adjacency, range);
            const [due, dueSquared] = greatest(adjacency, range);
            expect([l1, l2Squared], `[${low}, ${high}] k ${k} of ${allGroups}`).toEqual([due, dueSquared]);
          }
    });

  it("is that of its values alone where every unit has one, and under replace-one alone", () => {
    const range: ContributionRange = { low: 2n, high: 7n, groups: 1n, allGroups: 1n, alwaysPresent: true };
    expect(sensitivityOf("replace-one", range)).toEqual({ l1: 5n, l2Squared: 25n });
    expect(sensitivityOf("add-or-remove-one", range)).toEqual({ l1: 7n, l2Squared: 49n });
    expect(sensitivityOf("replace-one", { ...range, alwaysPresent: false })).toEqual({
      l1: 7n,
      l2Squared: 49n,
    });
  });

  it("has as its magnitude the value farthest from 0", () => {
    for (const [low, high, most] of [
      [-5n, 3n, 5n],
      [-3n, 5n, 5n],
      [-5n, -3n, 5n],
      [3n, 5n, 5n],
      [0n, 0n, 0n],
    ] as const)
      expect(magnitude({ low, high })).toBe(most);
  });
});

it("the sensitivity of a tree is that of one path of nodes in each group, of two where one unit takes another's place", () => {
  const range = { most: 5n, levels: 3n, groups: 2n };
  const of = (adjacency: Adjacency, allGroups: bigint | null) =>
    treeSensitivity(adjacency, { ...range, allGroups });
  expect(of("add-or-remove-one", null)).toEqual({ l1: 30n, l2Squared: 150n });
  expect(of("replace-one", null)).toEqual({ l1: 60n, l2Squared: 300n });
  // No more groups change than there are.
  expect(of("add-or-remove-one", 1n)).toEqual({ l1: 15n, l2Squared: 75n });
  expect(of("replace-one", 1n)).toEqual({ l1: 30n, l2Squared: 150n });
  expect(of("replace-one", 2n)).toEqual(of("replace-one", 3n));
});
