import { chooseBounds } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Estimate, isEstimate, type Release } from "./release.ts";
import { openHouse, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visits, visitsCsv } from "./testing/visits.ts";

const auto = "contribution_bounds_per_row => auto";
const far = "{ type: number, bounds: [0, 10000] }";
let house: TestHouse;
beforeAll(async () => {
  const policy = personPolicy("{ measure: approximate, epsilon: 1e9, delta: 1e-5 }");
  house = await openHouse(policy.replace(far, "{ type: number }"), visitsCsv);
});
afterAll(() => house.close());

const estimates = ({ rows }: Release, row = 0): readonly Estimate[] => rows[row]!.filter(isEstimate);
const costs = visits.flatMap(({ cost }) => (cost === null ? [] : [cost]));
const total = costs.reduce((sum, cost) => sum + cost, 0);

describe("learned bounds", () => {
  it("hold the data, are in the certificate, and in a note", async () => {
    const release = await house.ask(`SELECT SUM(cost, ${auto}), AVG(cost, ${auto}) FROM visits`, {
      epsilon: "10000",
      confidence: 1 - 1e-9,
    });
    const { plan, charge } = release.certificate;
    const [stage, ...rest] = plan.learned!.stages;
    expect(rest).toEqual([]);
    // 7000 … 9002: [4096, 8192] and [8192, 16384]. An empty cell beside them is in once in twenty, so six in a row 2e-8 a side.
    const [lo, hi] = stage!.bounds!;
    expect(lo).toBeLessThanOrEqual(4096);
    expect(hi).toBeGreaterThanOrEqual(16384);
    expect(lo).toBeGreaterThanOrEqual(4096 / 2 ** 5);
    expect(hi).toBeLessThanOrEqual(16384 * 2 ** 5);
    expect([lo, hi]).toEqual(chooseBounds(stage!.ends, stage!.counts!.map(Number), stage!.noise));
    expect(stage!.counts).toHaveLength(stage!.ends.length + 2);
    expect(charge).toEqual(plan.price);
    expect(release.notes).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^the bounds of cost, ${lo} to ${hi}, were learned from noisy counts .* for ε 2000 of the price`,
        ),
      ),
    );
    expect(release.notes).toContainEqual(
      expect.stringMatching(
        new RegExp(`^values of cost below ${lo} or above ${hi} \\(learned bounds\\) count as the nearer`),
      ),
    );
    const [sum, mean] = estimates(release);
    expect(sum!.lower! <= total && total <= sum!.upper!).toBe(true);
    expect(mean!.lower! <= total / costs.length && total / costs.length <= mean!.upper!).toBe(true);
    expect(sum!.upper! - sum!.lower!).toBeLessThan(0.01 * total);
  });

  it("are learned under the charge, which is there before a row is read", async () => {
    const seen: string[] = [];
    const before = (await house.report()).charges.length;
    await house
      .ask(`SELECT ward, SUM(cost, ${auto}) FROM visits GROUP BY ward`, {
        engine: {
          run: async () => {
            seen.push(`${(await house.report()).charges.length - before}`);
            throw new Error("enough");
          },
        },
      })
      .catch((error: unknown) => expect(String(error)).toContain("the database could not answer"));
    expect(seen).toEqual(["1"]);
  });

  it("are learned again where the service fell between the stages, at no new charge, and then never again", async () => {
    const text = `SELECT SUM(cost, ${auto}) FROM visits`;
    const request = { requestId: "falls between the stages", epsilon: "10000" };
    let runs = 0;
    const { engine } = house.house;
    const failing = house.ask(text, {
      ...request,
      engine: {
        run: (query) => {
          runs += 1;
          return runs <= 2 ? engine.run(query) : Promise.reject(new Error("gone"));
        },
      },
    });
    await expect(failing).rejects.toThrow("the database could not answer");
    // The stage's own sums, the cells, and the sums within the bounds.
    expect(runs).toBe(3);
    const charges = (await house.report()).charges.length;
    const first = await house.ask(text, request);
    const again = await house.ask(text, request);
    expect(again).toEqual(first);
    expect((await house.report()).charges.length).toBe(charges);
  });

  it("keep intervals over the clipped values at their confidence", async () => {
    // ε 0.4 for the sum over 500 people: the stage's noise is some 10 people, and the data fill two cells.
    let [held, asked] = [0, 0];
    for (let round = 0; round < 40; round += 1) {
      const release = await house.ask(`SELECT SUM(cost, ${auto}) FROM visits`, {
        epsilon: "1/2",
        confidence: 0.8,
      });
      const [[lo, hi]] = release.certificate.plan.learned!.stages.map(({ bounds }) => bounds) as [
        readonly [number, number],
      ];
      const clipped = costs.reduce((sum, cost) => sum + Math.min(Math.max(cost, lo), hi), 0);
      const [{ lower, upper }] = estimates(release) as [Estimate];
      asked += 1;
      if (lower! <= clipped && clipped <= upper!) held += 1;
    }
    // Of 40 draws at 0.8 fewer than 17 hold with probability below 1e-6.
    expect(asked).toBe(40);
    expect(held).toBeGreaterThanOrEqual(17);
  });
});
