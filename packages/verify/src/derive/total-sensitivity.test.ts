import type { Plan, PlannedTotals, SumColumn } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { numberColumn, type PlanParts, planOf } from "../testing/plan-of.ts";
import { type Distance, deriveSensitivity, deriveTotalSensitivity } from "./sensitivity.ts";

const unit = { kind: "column", column: "u" } as const;
const keys = { kind: "private", rule: "laplace-threshold", noise: null, threshold: "9" } as never;

function sumOf(lo: bigint, hi: bigint): SumColumn {
  const grid = { exponent: 0, lo: "-9", hi: "9" };
  return { kind: "sum", argument: numberColumn("x", false), grid, lo: `${lo}`, hi: `${hi}` };
}

function totalsOf(count: number | null): PlannedTotals {
  const declared = count === null ? null : Array.from({ length: count }, (_, at) => [`total ${at}`]);
  return { keys: [0], declared, share: "1/2", measurements: [] } as unknown as PlannedTotals;
}

/** Returns the vectors that a unit can add to two totals, or to one, when it has one of these values in each of up to `most` groups. */
function reachable(values: readonly bigint[], most: number, totals: 1 | 2): readonly (readonly bigint[])[] {
  let reached: bigint[][] = [[0n, 0n]];
  for (let group = 0; group < most; group += 1)
    reached = reached.flatMap(([a, b]) => [
      [a!, b!],
      ...values.flatMap((value) => [
        [a! + value, b!],
        [a!, b! + value],
      ]),
    ]);
  return reached.map(([a, b]) => (totals === 1 ? [a! + b!] : [a!, b!]));
}

function farthest(plan: Plan, vectors: readonly (readonly bigint[])[]): Distance {
  const others = plan.adjacency === "replace-one" ? vectors : [vectors[0]!.map(() => 0n)];
  let [l1, l2Squared] = [0n, 0n];
  for (const one of vectors)
    for (const other of others) {
      const moved = one.map((value, at) => value - other[at]!);
      const [d1, d2] = [
        moved.reduce((a, d) => a + (d < 0n ? -d : d), 0n),
        moved.reduce((a, d) => a + d * d, 0n),
      ];
      if (d1 > l1) l1 = d1;
      if (d2 > l2Squared) l2Squared = d2;
    }
  return { l1, l2Squared };
}

const derived = (plan: Plan, totals: 1 | 2): Distance =>
  deriveTotalSensitivity(plan.measurements[0]!, totalsOf(totals === 1 ? 1 : null), plan);

describe("how far a unit moves totals", () => {
  const ends = [
    [-2n, 3n],
    [-3n, 2n],
    [1n, 4n],
    [-4n, -1n],
    [0n, 0n],
  ] as const;
  for (const adjacency of ["add-or-remove-one", "replace-one"] as const)
    for (const totals of [1, 2] as const)
      for (const [lo, hi] of ends)
        for (const groups of [1, 3])
          it(`is the farthest of all ways to lay its values: ${adjacency}, ${totals} totals, ${lo} to ${hi} in ${groups} groups`, () => {
            const terms = [{ sum: "s0", coefficient: "1" }];
            const plan = planOf({ sums: [sumOf(lo, hi)], terms, unit, adjacency, groups, keys });
            expect(derived(plan, totals)).toEqual(farthest(plan, reachable([lo, hi], groups, totals)));
          });

  it.each(["add-or-remove-one", "replace-one"] as const)(
    "by rows bounded before the filter: %s",
    (adjacency) => {
      const parts = { unit, adjacency, groups: 2, rows: 2, limit: "rows-before-filter", keys } as const;
      const plan = (sum: SumColumn): Plan => {
        const terms: PlanParts["terms"] = [{ sum: "s0", coefficient: "1" }];
        return planOf({ ...parts, sums: [sum], terms });
      };
      // Four rows, wherever they lie, are four counts; each may also be what its unit is in a group by.
      for (const sum of [{ kind: "count", argument: null }, { kind: "units" }] as const)
        for (const totals of [1, 2] as const)
          expect(derived(plan(sum), totals)).toEqual(farthest(plan(sum), reachable([1n], 4, totals)));
    },
  );

  it("is nothing where no group is answered", () => {
    const none = { kind: "public", declared: [] } as const;
    for (const bound of ["groups-after-filter", "rows-before-filter"] as const)
      for (const adjacency of ["add-or-remove-one", "replace-one"] as const) {
        const terms = [{ sum: "s0", coefficient: "1" }];
        const plan = planOf({
          sums: [{ kind: "count", argument: null }],
          terms,
          unit,
          adjacency,
          limit: bound,
          keys: none,
        });
        expect(deriveSensitivity(plan.measurements[0]!, plan)).toEqual({ l1: 0n, l2Squared: 0n });
      }
  });
});
