import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { Cell, Release } from "../format/release.ts";
import { newSigner, releaseOf, samplePlan } from "../testing/sample-release.ts";
import { totalsAmiss } from "./totals.ts";

const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  visits: { file: a.duckdb, unit: row, columns: {
    cost: { type: number, bounds: [0, 9] }, ward: { type: text, categories: [n, s], default: n }, kind: { type: text, categories: [a, b], default: a } } }
`;
async function released(text: string): Promise<Release> {
  const plan: Plan = await samplePlan(text, policy, { epsilon: one, delta: parseRational("1e-6") });
  return releaseOf(plan, newSigner(), { measure: "approximate", epsilon: "100", delta: "1/1000" });
}
const counted = (value: number | null): Cell => ({ value, lower: value, upper: value });
/** A release by kind, with counts for a, for b and for both. */
const withCounts = (release: Release, ...counts: readonly (number | null)[]): Release => ({
  ...release,
  rows: counts.map((count, at) => [["a", "b", null][at]!, counted(count)]),
});
const told = (release: Release): readonly string[] => [...totalsAmiss(release)];

describe("totals of public groups", () => {
  const rollup = "SELECT kind, COUNT(*) AS n FROM visits GROUP BY ROLLUP (kind)";

  it("are the sums of their groups", async () => {
    const release = await released(rollup);
    expect(told(withCounts(release, 3, 4, 7))).toEqual([]);
    expect(told(withCounts(release, 3, 4, 8))).toHaveLength(1);
  });

  it("are none of a group without a number", async () => {
    const release = await released(rollup);
    expect(told(withCounts(release, null, 4, 4))).not.toEqual([]);
    expect(told(withCounts(release, 3, 4, null))).not.toEqual([]);
  });

  it.each([
    [
      "no grouping is by all keys",
      "SELECT ward, kind, COUNT(*) FROM visits GROUP BY GROUPING SETS ((ward), (kind))",
    ],
    ["HAVING leaves groups out", `${rollup} HAVING COUNT(*) > 5`],
    ["groups are in another order", `${rollup} ORDER BY n`],
    ["groups are cut off", `${rollup} LIMIT 2`],
    ["groups are cut off in front", `${rollup} ORDER BY n OFFSET 1`],
  ])("cannot be checked where %s", async (_, text) => {
    const release = await released(text);
    const [first, ...rest] = release.rows;
    expect(told({ ...release, rows: [[...first!.slice(0, -1), counted(12345)], ...rest] })).toEqual([]);
  });
});
