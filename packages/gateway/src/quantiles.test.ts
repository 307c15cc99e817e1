import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Estimate, isEstimate, type Release } from "./release.ts";
import { openHouse, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, rowPolicy, visits, visitsCsv } from "./testing/visits.ts";

const budget = "{ measure: approximate, epsilon: 1e9, delta: 1e-5 }";
let people: TestHouse;
let rows: TestHouse;
beforeAll(async () => {
  people = await openHouse(personPolicy(budget), visitsCsv);
  rows = await openHouse(rowPolicy(budget), visitsCsv);
});
afterAll(async () => {
  await people.close();
  await rows.close();
});

/** So much ε that no noise is left to speak of. */
const exact = { epsilon: "100000" };
const estimates = ({ rows: found }: Release, row = 0): readonly Estimate[] => found[row]!.filter(isEstimate);

/** The rows up to which a share of them lies: of each share the one of PERCENTILE_DISC. */
function quantiles(values: readonly (number | null)[], shares: readonly number[]): readonly number[] {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  return shares.map((share) => sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]!);
}

describe("quantiles of rows", () => {
  it("are those of the data, to the cell, where there is no noise", async () => {
    const release = await rows.ask(
      "SELECT ward, MIN(stay), PERCENTILE_CONT(stay, 0.3), MEDIAN(stay), PERCENTILE_DISC(0.8) WITHIN GROUP (ORDER BY stay), " +
        "QUANTILE(cost, 0.3) FROM visits GROUP BY ward ORDER BY ward",
      exact,
    );
    for (const [at, ward] of ["north", "south"].entries()) {
      const mine = visits.filter((visit) => visit.ward === ward);
      const found = estimates(release, at);
      const due = quantiles(
        mine.map(({ stay }) => stay),
        [0.01, 0.3, 0.5, 0.8],
      );
      // An integer a cell; interpolation leaves a row of room on either side.
      expect(found.slice(0, 4).map(({ value }) => value)).toEqual(due);
      for (const { value, lower, upper } of found) {
        expect(lower! <= value! && value! <= upper!).toBe(true);
      }
      const [cost] = quantiles(
        mine.map((visit) => visit.cost),
        [0.3],
      );
      const { value, lower, upper } = found[4]!;
      // 4096 cells of [0, 10000].
      expect(Math.abs(value! - cost!)).toBeLessThan(5);
      expect(lower! <= cost! && cost! <= upper!).toBe(true);
      expect(upper! - lower!).toBeLessThan(15);
    }
  });

  it("are several from one release, at the price of one", async () => {
    const one = await rows.ask("SELECT MEDIAN(cost) FROM visits", { epsilon: "1/2" });
    const many = await rows.ask(
      "SELECT MIN(cost), PERCENTILE_CONT(cost, 0.25), MEDIAN(cost), PERCENTILE_CONT(cost, 0.75), MAX(cost) FROM visits",
      { epsilon: "1/2" },
    );
    const [alone, together] = [one.certificate.plan, many.certificate.plan];
    expect(together.trees).toEqual(alone.trees);
    expect(together.measurements).toEqual([]);
    expect(many.certificate.charge).toEqual(one.certificate.charge);
    const values = estimates(many).map(({ value }) => value!);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    const cut = expect.stringMatching(/^values of cost below .*: a quantile of cost is off only if/);
    expect(many.notes).toEqual([
      cut,
      expect.stringMatching(/^MIN\(cost\) is answered by the 0.01 quantile/),
      expect.stringMatching(/^MAX\(cost\) is answered by the 0.99 quantile/),
    ]);
    expect(one.notes).toEqual([cut]);
  });

  it("stand in HAVING, ORDER BY and arithmetic, whose intervals follow", async () => {
    const release = await rows.ask(
      "SELECT city, MEDIAN(cost) - MEDIAN(stay) AS gap FROM visits GROUP BY city HAVING MEDIAN(cost) > 100 ORDER BY gap DESC",
      exact,
    );
    expect(release.rows).toHaveLength(3);
    for (const row of release.rows) {
      const mine = visits.filter(({ city }) => city === row[0]);
      const [cost] = quantiles(
        mine.map((visit) => visit.cost),
        [0.5],
      );
      const [stay] = quantiles(
        mine.map((visit) => visit.stay),
        [0.5],
      );
      const { lower, upper } = row[1] as Estimate;
      expect(lower! <= cost! - stay! && cost! - stay! <= upper!).toBe(true);
      // Private keys: 256 cells a group.
      expect(upper! - lower!).toBeLessThan(10000 / 64);
    }
  });

  it("keep the rows of FILTER alone, and span the bounds where nobody is counted", async () => {
    const release = await rows.ask(
      "SELECT ward, MEDIAN(stay) FILTER (WHERE stay > 4) AS late, MEDIAN(stay) FILTER (WHERE stay > 4 AND stay + 1 < 6) AS none FROM visits GROUP BY ward",
      { epsilon: "20" },
    );
    for (const at of [0, 1]) {
      const [late, none] = estimates(release, at);
      expect(late!.lower).toBeGreaterThanOrEqual(5);
      expect(none!.lower! >= -4 && none!.upper! <= 9).toBe(true);
    }
  });

  it("are clamped to bounds that the question states, and refused without any", async () => {
    const release = await rows.ask(
      "SELECT MAX(cost, contribution_bounds_per_row => (0, 7500)) FROM visits",
      exact,
    );
    const [{ upper, value }] = estimates(release) as [Estimate];
    expect(value!).toBeGreaterThan(7400);
    expect(upper).toBeLessThanOrEqual(7500);
    await expect(rows.ask("SELECT MEDIAN(stay / cost) FROM visits")).rejects.toMatchObject({
      code: "query.missing-bounds",
    });
  });
});

describe("quantiles of units", () => {
  it("weigh each unit's rows alike, and at most r of them", async () => {
    const release = await people.ask(
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 100000, max_rows_contributed_per_group = 1) MEDIAN(stay), PERCENTILE_CONT(stay, 0.9) FROM visits",
      { epsilon: null },
    );
    // Everybody has two or three visits, so each visit weighs a half or a third.
    const weighed = visits
      .map(({ person, stay }) => ({ stay, weight: 1 / visits.filter((v) => v.person === person).length }))
      .sort((a, b) => a.stay - b.stay);
    const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
    const found = estimates(release);
    for (const [at, share] of [0.5, 0.9].entries()) {
      let before = 0;
      const due = weighed.find(({ weight }) => {
        before += weight;
        return before >= share * total;
      })!;
      expect(found[at]!.value).toBe(due.stay);
      expect(found[at]!.lower! <= due.stay && due.stay <= found[at]!.upper!).toBe(true);
    }
    expect(release.certificate.plan.trees![0]!.l1).toBe(`${2 ** 20}`);
  });
});
