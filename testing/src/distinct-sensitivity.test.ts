import { type Plan, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planned } from "./planned.ts";
import { keyName, type RawRow, referenceGroups } from "./reference-evaluator.ts";

/*
 * Brute force for aggregates of distinct values: a unit that owns any five rows of nine comes, goes, or takes another's place,
 * beside units that hold some of its values. What is measured exactly moves by no more than was derived, and by exactly that somewhere.
 */

const policyOf = (adjacency: string, k: number, r: number, bound: string) =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  people:
    file: people.parquet
    unit: pid
    max_groups_contributed: ${k}
    max_rows_contributed_per_group: ${r}
    bound: ${bound}
    columns:
      pid: { type: text }
      x: { type: number }
      g: { type: text, categories: [a, b, c], default: c }
`);

const cells = ["a", "b", "c"].flatMap((g) => [1.5, -0, null].map((x): RawRow => ({ pid: "me", x, g })));
const owned: readonly (readonly RawRow[])[] = Array.from({ length: 1 << 9 }, (_, bits) =>
  cells.filter((_, at) => (bits >> at) & 1),
).filter((rows) => rows.length > 0 && rows.length <= 6);
/** Others hold one of the values in one group, and rows without a value; nobody's rows count for nothing. */
const others: readonly RawRow[] = [
  { pid: "you", x: 0, g: "a" },
  { pid: "you", x: null, g: "b" },
  { pid: null, x: 7, g: "b" },
];

function countsOf(plan: Plan, rows: readonly RawRow[]): readonly number[] {
  const groups = new Map(
    referenceGroups(plan, rows, "seed").map(({ key, sums }) => [keyName(key), Number(sums[0]!)]),
  );
  return plan.keys.program.kind === "none"
    ? [groups.get("")!]
    : ["a", "b", "c"].map((g) => groups.get(keyName([g])) ?? 0);
}

describe.each([
  ["add-or-remove-one", "groups-after-filter"],
  ["add-or-remove-one", "rows-before-filter"],
  ["replace-one", "groups-after-filter"],
  ["replace-one", "rows-before-filter"],
])("COUNT(DISTINCT x) under %s, %s", (adjacency, bound) => {
  it.each([
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
    [3, 2],
  ])("k = %i, r = %i", async (k, r) => {
    const policy = policyOf(adjacency, k, r, bound);
    for (const counted of ["x", "x > 1"])
      for (const by of ["", " GROUP BY g"]) {
        const text = `SELECT COUNT(DISTINCT ${counted}) FROM people${by}`;
        const plan = await planned(text, policy);
        const all = owned.map((rows) => countsOf(plan, [...others, ...rows]));
        const counts = [...new Map(all.map((vector) => [String(vector), vector])).values()];
        const before = adjacency === "replace-one" ? counts : [countsOf(plan, others)];
        const moves = counts.flatMap((a) =>
          before.map((b) => a.map((count, at) => Math.abs(count - b[at]!))),
        );
        const largest = [1, 2].map((power) =>
          Math.max(...moves.map((moved) => moved.reduce((sum, change) => sum + change ** power, 0))),
        );
        const { l1, l2Squared } = plan.measurements[0]!;
        expect(largest[0], text).toBeLessThanOrEqual(Number(l1));
        expect(largest[1], text).toBeLessThanOrEqual(Number(l2Squared));
        // Group a has one value already: all that k groups can add is reached where two others are left.
        const reaches = by === "" ? r === 1 : adjacency === "add-or-remove-one" && k <= 2;
        if (reaches && counted === "x" && bound === "groups-after-filter")
          expect(largest, text).toEqual([Number(l1), Number(l2Squared)]);
      }
  });
});

/** Numbers with bounds on both sides of 0. */
const numbersOf = (adjacency: string, k: number, r: number, bound: string) =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  people:
    file: people.parquet
    unit: pid
    max_groups_contributed: ${k}
    max_rows_contributed_per_group: ${r}
    bound: ${bound}
    columns:
      pid: { type: text }
      n: { type: integer, bounds: [-3, 5], default: 1 }
      x: { type: number, bounds: [-1, 6] }
      g: { type: text, categories: [a, b], default: b }
`);

/** Values beyond a bound and at it are one; 0 adds nothing to a sum. */
const valued = ["a", "b"].flatMap((g) =>
  [-7, -3, 5, g === "a" ? null : 0].map((n): RawRow => ({ pid: "me", n, x: n === null ? null : n + 1, g })),
);
const ownings: readonly (readonly RawRow[])[] = Array.from({ length: 1 << 8 }, (_, bits) =>
  valued.filter((_, at) => (bits >> at) & 1),
).filter((rows) => rows.length > 0 && rows.length <= 4);
/** Crowds that hold none, some or all of a unit's values: several units the same, in one group or in both. */
const crowds: readonly (readonly RawRow[])[] = [
  [],
  [
    { pid: "you", n: 5, x: 6, g: "a" },
    { pid: "she", n: 5, x: 6, g: "a" },
    { pid: "you", n: 0, x: null, g: "b" },
    { pid: null, n: -3, x: -2, g: "b" },
  ],
  valued.map((row, at) => ({ ...row, pid: `other ${at}` })),
];

/** What each measurement comes to in every group. */
function measuredOf(plan: Plan, rows: readonly RawRow[]): readonly (readonly bigint[])[] {
  const groups = new Map(referenceGroups(plan, rows, "seed").map(({ key, sums }) => [keyName(key), sums]));
  const keys = plan.keys.program.kind === "none" ? [""] : ["a", "b"].map((g) => keyName([g]));
  return plan.measurements.map(({ terms }) =>
    keys.map((key) =>
      terms.reduce((total, { sum, coefficient }) => {
        const at = plan.sums.findIndex(({ name }) => name === sum);
        return total + BigInt(coefficient) * (groups.get(key)?.[at] ?? 0n);
      }, 0n),
    ),
  );
}

const size = (x: bigint): bigint => (x < 0n ? -x : x);

/** The farthest that each measurement moves, beside one crowd: ℓ1 and the square of ℓ2. */
function farthest(plan: Plan, adjacency: string, crowd: readonly RawRow[]): (readonly [bigint, bigint])[] {
  const all = ownings.map((rows) => measuredOf(plan, [...crowd, ...rows]));
  const without = measuredOf(plan, crowd);
  return plan.measurements.map((_, at) => {
    const vectors = [...new Map(all.map((each) => [String(each[at]), each[at]!])).values()];
    const before = adjacency === "replace-one" ? vectors : [without[at]!];
    let [l1, l2] = [0n, 0n];
    for (const a of vectors)
      for (const b of before) {
        const moved = a.map((x, group) => size(x - b[group]!));
        const sum = moved.reduce((total, x) => total + x, 0n);
        const squares = moved.reduce((total, x) => total + x * x, 0n);
        if (sum > l1) l1 = sum;
        if (squares > l2) l2 = squares;
      }
    return [l1, l2] as const;
  });
}

describe.each([
  ["add-or-remove-one", "groups-after-filter"],
  ["add-or-remove-one", "rows-before-filter"],
  ["replace-one", "groups-after-filter"],
  ["replace-one", "rows-before-filter"],
])("aggregates of distinct values under %s, %s", (adjacency, bound) => {
  it.each([
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ])("k = %i, r = %i", async (k, r) => {
    const policy = numbersOf(adjacency, k, r, bound);
    for (const asked of [
      "SUM(DISTINCT n)",
      "SUM(DISTINCT x), AVG(DISTINCT x)",
      "AVG(DISTINCT n)",
      "VAR_SAMP(DISTINCT n)",
      "STDDEV_POP(DISTINCT x, contribution_bounds_per_row => (0, 4))",
      "SUM(DISTINCT n * n) FILTER (WHERE x > 0)",
    ])
      for (const shape of ["", " WHERE n <> 4", " GROUP BY g"]) {
        const text = `SELECT ${asked} FROM people${shape}`;
        const plan = await planned(text, policy);
        expect(plan.measurements.length, text).toBeGreaterThan(0);
        const found = crowds.map((crowd) => farthest(plan, adjacency, crowd));
        plan.measurements.forEach(({ name, l1, l2Squared }, at) => {
          for (const [crowd, moved] of found.entries()) {
            expect(
              moved[at]![0] <= BigInt(l1),
              `${text}, ${name}, crowd ${crowd}: ${moved[at]} > ${l1}`,
            ).toBe(true);
            expect(moved[at]![1] <= BigInt(l2Squared), `${text}, ${name}, crowd ${crowd}`).toBe(true);
          }
          // The sum of one value at either end is reached, where nobody else holds it; nothing moves where others hold all.
          if (asked !== "SUM(DISTINCT n)") return;
          if (r === 1 && bound === "groups-after-filter" && shape !== " WHERE n <> 4")
            expect(found[0]![at], text).toEqual([BigInt(l1), BigInt(l2Squared)]);
          if (shape === "") expect(found[2]![at], text).toEqual([0n, 0n]);
        });
      }
  });
});
