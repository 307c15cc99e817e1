import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { biasNotes } from "./bias-notes.ts";

const policyOf = (unit: string, bound = "groups-after-filter") =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits:
    file: visits.csv
    unit: ${unit}
${unit === "row" ? "" : `    max_groups_contributed: 2\n    max_rows_contributed_per_group: 4\n    bound: ${bound}\n`}    columns:
      id: { type: text }
      city: { type: text }
      ward: { type: text, categories: [north, south, west], default: west }
      cost: { type: number, bounds: [-10, 50] }
      free: { type: number }
      stay: { type: integer, bounds: [0, 9] }
      level: { type: integer, categories: [1, 2], default: 1 }
`);
const notes = async (text: string, policy = policyOf("row")): Promise<readonly string[]> =>
  biasNotes(await planText(text, optionsOf({ delta: "1e-6" }), policy));

describe("what bounds of values take from an answer", () => {
  it.each([
    ["SUM(cost)", "SUM(cost) is off by the sum of what lies beyond the bounds"],
    ["AVG(cost)", "AVG(cost) is off by the average, over all its rows, of what lies beyond the bounds"],
    ["VARIANCE(cost)", "the variance of cost can only become too small"],
    ["STDDEV(cost)", "the standard deviation of cost can only become too small"],
    ["COVAR_POP(cost, level)", "a covariance with cost is that of the clamped values"],
    ["MEDIAN(cost)", "a quantile of cost is off only if it lies beyond the bounds itself"],
    ["COUNT(DISTINCT cost)", "COUNT(DISTINCT cost) counts them as that bound"],
    ["SUM(cost * 2)", "expressions of it are computed from the clamped values"],
  ])("%s", async (aggregate, says) => {
    expect(await notes(`SELECT ${aggregate} FROM visits`)).toEqual([
      `values of cost below -10 or above 50 count as the nearer bound: ${says}`,
    ]);
  });

  it("is said once a column, of all that is asked of it", async () => {
    const all = await notes("SELECT SUM(cost), AVG(cost), SUM(cost + stay), SUM(level) FROM visits");
    expect(all).toHaveLength(2);
    expect(all[0]).toMatch(/^values of cost .*SUM\(cost\).*; AVG\(cost\).*; expressions of it/);
    expect(all[1]).toMatch(/^values of stay below 0 or above 9/);
  });

  it("is not said of a unit's own count, which nothing cuts", async () => {
    const each = "(SELECT id, COUNT(*) AS n FROM visits GROUP BY id) t";
    const all = await notes(`SELECT AVG(LEAST(n, 10)) FROM ${each}`, policyOf("id"));
    expect(all.filter((note) => note.includes("nearer bound"))).toEqual([]);
  });

  it("is said of bounds that the question states", async () => {
    const all = await notes("SELECT AVG(cost, contribution_bounds_per_row => (0, 5)) FROM visits");
    expect(all).toEqual([
      expect.stringMatching(/^values of cost below -10 or above 50 count/),
      expect.stringMatching(
        /^values of cost below 0 or above 5 \(bounds of the question\) count .*: AVG\(cost\) is off by/,
      ),
    ]);
    const text =
      "SELECT SUM(total, contribution_bounds_per_row => (0, 90)) FROM (SELECT id, SUM(cost) AS total FROM visits GROUP BY id) t";
    const [ofUnits] = (await notes(text, policyOf("id"))).slice(-1);
    expect(ofUnits).toMatch(/^values of t\.total below 0 or above 90 \(bounds of the question\) count/);
  });

  it("is said of bounds that the question states on one side alone", async () => {
    for (const bounds of ["-10, 5", "0, 50"]) {
      const all = await notes(`SELECT AVG(cost, contribution_bounds_per_row => (${bounds})) FROM visits`);
      expect(all.slice(1)).toEqual([
        expect.stringContaining(
          `values of cost below ${bounds.replace(",", " or above")} (bounds of the question) count`,
        ),
      ]);
    }
    const same = await notes("SELECT AVG(cost, contribution_bounds_per_row => (-10, 50)) FROM visits");
    expect(same).toHaveLength(1);
  });

  it("says of bounds whether they were learned or stated, at either end", async () => {
    // Bounds that are yet to be learned are taken to be -1 to 1.
    const text =
      "SELECT SUM(free, contribution_bounds_per_row => auto), SUM(free, contribution_bounds_per_row => (0, 1)), AVG(free, contribution_bounds_per_row => (-1, 2)), AVG(cost, contribution_bounds_per_row => (-1, 1)) FROM visits";
    const told = (await notes(text)).flatMap(
      (note) => /^values of (.*) \((.*)\) count/.exec(note)?.slice(1) ?? [],
    );
    expect(told).toEqual([
      ...["free below -1 or above 1", "learned bounds"],
      ...["free below 0 or above 1", "bounds of the question"],
      ...["free below -1 or above 2", "bounds of the question"],
      ...["cost below -1 or above 1", "bounds of the question"],
    ]);
  });

  it("is said once of two aggregates of the same stated bounds", async () => {
    const stated = "cost, contribution_bounds_per_row => (0, 5)";
    const all = await notes(`SELECT AVG(${stated}), SUM(${stated}) FROM visits`);
    expect(all[1]).toMatch(
      /^values of cost below 0 or above 5 .*: AVG\(cost\) is off .*; SUM\(cost\) is off/,
    );
    expect(all).toHaveLength(2);
  });

  it("leaves out a filter and what is only looked at for being there", async () => {
    const one = (effect: string): readonly string[] => [
      `values of cost below -10 or above 50 count as the nearer bound: ${effect}`,
    ];
    const itself = "SUM(cost) is off by the sum of what lies beyond the bounds";
    expect(await notes("SELECT SUM(cost) FILTER (WHERE stay IS NOT NULL) FROM visits")).toEqual(one(itself));
    expect(await notes("SELECT SUM(cost) FILTER (WHERE stay IS NULL) FROM visits")).toEqual(one(itself));
    expect(await notes("SELECT SUM(CASE WHEN level = 1 THEN cost END) FROM visits")).toEqual(one(itself));
    const made = "expressions of it are computed from the clamped values";
    expect(await notes("SELECT SUM(CASE WHEN level = 1 THEN cost ELSE 0 END) FROM visits")).toEqual(
      one(made),
    );
    expect(
      await notes("SELECT SUM(CASE WHEN level = 1 THEN cost WHEN level = 2 THEN cost END) FROM visits"),
    ).toEqual(one(made));
  });

  it("is nothing where only rows are counted", async () => {
    expect(await notes("SELECT ward, COUNT(*), COUNT(cost) FROM visits GROUP BY ward")).toEqual([]);
  });
});

describe("what bounded contributions take from an answer", () => {
  const where = "SELECT ward, COUNT(*), SUM(cost), AVG(stay) FROM visits GROUP BY ward";

  it("is said of each measure, and of further groups", async () => {
    const all = await notes(where, policyOf("id"));
    expect(all.slice(2)).toEqual([
      "if a unit has more than 4 rows in a group: COUNT leaves out its other rows; SUM(cost) clamps the unit's own sum to the range -40 to 200; averages, spreads and quantiles of stay give its rows a total weight of 4",
      "if a unit is in more than 2 groups, it counts in only 2 of them, chosen by lowest keyed hash",
    ]);
  });

  it("holds for private keys and for no keys", async () => {
    expect((await notes("SELECT city, COUNT(*) FROM visits GROUP BY city", policyOf("id"))).at(-1)).toContain(
      "more than 2 groups",
    );
    expect(await notes("SELECT MEDIAN(stay) FROM visits", policyOf("id"))).toEqual([
      expect.stringContaining("values of stay"),
      "if a unit has more than 4 rows: averages, spreads and quantiles of stay give its rows a total weight of 4",
    ]);
    expect(await notes("SELECT COUNT(DISTINCT id) FROM visits", policyOf("id"))).toEqual([]);
  });

  it("is said of further groups only where there can be more than count", async () => {
    // Two levels, and two groups count.
    expect(await notes("SELECT level, COUNT(*) FROM visits GROUP BY level", policyOf("id"))).toEqual([
      "if a unit has more than 4 rows in a group: COUNT leaves out its other rows",
    ]);
    expect(await notes("SELECT ward, COUNT(DISTINCT id) FROM visits GROUP BY ward", policyOf("id"))).toEqual([
      "if a unit is in more than 2 groups, it counts in only 2 of them, chosen by lowest keyed hash",
    ]);
  });

  it("counts one row and one group in the singular", async () => {
    const asked =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, delta = 1e-6, max_groups_contributed = 1, max_rows_contributed_per_group = 1) ward, COUNT(*) FROM visits GROUP BY ward";
    const plan = await planText(asked, optionsOf({ epsilon: null }), policyOf("id"));
    expect(biasNotes(plan)).toEqual([
      "if a unit has more than 1 row in a group: COUNT leaves out its other rows",
      "if a unit is in more than 1 group, it counts in only 1 of them, chosen by lowest keyed hash",
    ]);
  });

  it("names each column once that is weighed, and the greatest value of a row whatever its sign", async () => {
    const all = await notes("SELECT AVG(stay), MEDIAN(stay), VARIANCE(cost) FROM visits", policyOf("id"));
    expect(all.at(-1)).toBe(
      "if a unit has more than 4 rows: averages, spreads and quantiles of stay, cost give its rows a total weight of 4",
    );
    const negative = await notes("SELECT SUM(-cost) FROM visits", policyOf("id", "rows-before-filter"));
    expect(negative.at(-1)).toBe(
      "if a unit has more than 4 rows: SUM(- cost) leaves out their values, each at most 50 in size",
    );
  });

  it("is of whole rows where those are bounded before the filter", async () => {
    expect((await notes(where, policyOf("id", "rows-before-filter"))).slice(2)).toEqual([
      "if a unit has more than 8 rows: COUNT leaves out its other rows; SUM(cost) leaves out their values, each at most 50 in size; averages, spreads and quantiles of stay are those of the rows that are kept",
    ]);
  });
});
