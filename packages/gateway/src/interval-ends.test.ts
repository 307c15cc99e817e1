import { afterAll, beforeAll, expect, it } from "vitest";
import { isEstimate, type Release } from "./release.ts";
import { failedChecks } from "./testing/failed-checks.ts";
import { openHouse, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(personPolicy("{ measure: approximate, epsilon: 100000, delta: 1e-5 }"), visitsCsv);
});
afterAll(() => house.close());

const sql = `SELECT DP_INTERVAL_LOW(n), ward, COUNT(*) AS n, DP_INTERVAL_HIGH(n) AS high, DP_INTERVAL_LOW(mean) AS mean_low,
  SUM(cost) / COUNT(*) AS mean FROM visits GROUP BY ward ORDER BY n`;

const failed = (release: Release): Promise<readonly string[]> => failedChecks(house, release);

it("the ends of an interval are columns of their own, at no price, and verified", async () => {
  const release = await house.ask(sql, { epsilon: "20" });
  expect(release.columns.map(({ name, kind }) => [name, kind])).toEqual([
    ["dp_interval_low", "label"],
    ["ward", "key"],
    ["n", "aggregate"],
    ["high", "label"],
    ["mean_low", "label"],
    ["mean", "computed"],
  ]);
  expect(release.rows).toHaveLength(2);
  for (const [low, , n, high, meanLow, mean] of release.rows) {
    if (!isEstimate(n!) || !isEstimate(mean!)) throw new Error("no estimate");
    expect([low, high]).toEqual([n.lower, n.upper]);
    expect(meanLow).toBe(mean.lower);
  }
  expect(release.certificate.charge).toMatchObject({ epsilon: "20" });
  expect(await failed(release)).toEqual([]);
  const lie = { ...release, rows: release.rows.map(([low, ...rest]) => [Number(low) - 1, ...rest]) };
  const names = (await failed(lie)).map((each) => each.split(":")[0]);
  expect(names).toEqual(expect.arrayContaining(["rows", "answer"]));
});
