import { type Plan, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planned } from "./planned.ts";
import { keyName, type RawRow, referenceGroups } from "./reference-evaluator.ts";

/*
 * Brute force for counts of distinct values: a unit that owns any five rows of nine comes, goes, or takes another's place,
 * beside units that hold some of its values. The exact counts move by no more than was derived, and by exactly that somewhere.
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
