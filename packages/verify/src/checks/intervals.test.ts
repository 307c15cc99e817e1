import { expect, it } from "vitest";
import type { Cell, Release } from "../format/release.ts";
import { type Sample, sample } from "../testing/people.ts";
import { intervalsFollow } from "./intervals.ts";

const outcomeOf = (release: Release, cell: Cell): string =>
  intervalsFollow({ ...release, rows: [[cell]] }).outcome;

const reachOf = (release: Release): number => {
  const { value, upper } = release.rows[0]![0] as { value: number; upper: number };
  return upper - value;
};

/** The sample's first value is 1,000 steps of its grid: far above 0. */
const single = async (text: string, more: Partial<Sample> = {}): Promise<readonly [Release, number]> => {
  const { release } = await sample({ text, ...more });
  return [release, reachOf(release)];
};

it.each(["COUNT(*)", "SUM(wage)", "SUM(change)", "SUM(-wage)"])(
  "%s: the interval is the value and the noise's reach on both sides, cut at 0 alone",
  async (aggregate) => {
    const [release, given] = await single(`SELECT ${aggregate} FROM people`);
    // Where no total lies above 0 the reach is that of the other side.
    const isBelow = aggregate === "SUM(-wage)";
    const mirrored = await single("SELECT SUM(wage) FROM people");
    const reach = isBelow ? mirrored[1] : given;
    expect(reach).toBeGreaterThan(0);
    const [low, high] =
      aggregate === "SUM(change)" ? [-Infinity, Infinity] : isBelow ? [-Infinity, 0] : [0, Infinity];
    const cut = (x: number): number => Math.min(Math.max(x, low), high);
    for (const value of [5 * reach, reach / 2, 0, -reach / 2, -5 * reach].map((x) => x + 0)) {
      const nearest = cut(value);
      const centre = Math.abs(nearest - value) > reach ? nearest : value;
      const [lower, upper] = [cut(centre - reach) + 0, cut(centre + reach) + 0];
      expect(outcomeOf(release, { value, lower, upper }), `${value}`).toBe("passed");
      for (const wrong of [
        { value, lower: lower - reach / 9, upper },
        { value, lower: lower + reach / 9, upper },
        { value, lower, upper: upper - reach / 9 },
        { value, lower, upper: upper + reach / 9 },
        { value, lower: null, upper },
        { value, lower, upper: null },
        { value: null, lower, upper },
      ])
        expect(outcomeOf(release, wrong), JSON.stringify(wrong)).toBe("failed");
    }
  },
);

it("every row and every column is looked at, and averages are not taken to be checked", async () => {
  const { release } = await sample({
    text: "SELECT sector, COUNT(*), SUM(wage) FROM people GROUP BY sector",
  });
  expect(intervalsFollow(release).outcome).toBe("passed");
  for (const [row, column] of [
    [0, 2],
    [2, 1],
    [2, 2],
  ] as const) {
    const rows = release.rows.map((cells, at) =>
      cells.map((cell, place) =>
        at === row && place === column ? { ...(cell as object), upper: 1e9 } : cell,
      ),
    ) as Release["rows"];
    expect(intervalsFollow({ ...release, rows }).outcome).toBe("failed");
  }
  const averages = await sample({ text: "SELECT AVG(wage) FROM people" });
  expect(intervalsFollow(averages.release).outcome).toBe("not-made");
});
