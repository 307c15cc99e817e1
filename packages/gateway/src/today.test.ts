import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { type Estimate, isEstimate, type Release } from "./release.ts";
import { explain } from "./resolved-question.ts";
import { openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  visits:
    file: visits.csv
    unit: person
    columns:
      person: { type: text }
      seen: { type: timestamp, bounds: ["2024-01-01 00:00:00", "2024-12-31 23:59:59"] }
budget: { measure: approximate, epsilon: 100000, delta: 1e-5 }
`;
/** Ten people a day from 2024-06-01 on; the house's clock says 2024-06-11, 10 o'clock. */
const csv = `person,seen\n${Array.from({ length: 200 }, (_, i) => `p${i},2024-06-${String(1 + Math.floor(i / 10)).padStart(2, "0")} 12:00:00`).join("\n")}\n`;

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(policy, csv);
});
afterAll(() => house.close());

const ask = (text: string, requestId: string, later = 0, today?: string): Promise<Release> => {
  const clock = (): number => house.house.clock() + later * 86_400_000;
  const options = { ...optionsOf({ epsilon: "500" }), ...(today === undefined ? {} : { today }) };
  return answer({ text, principal: "owner", requestId, options }, { ...house.house, clock });
};
const counted = ({ rows }: Release): number => (rows[0]!.find(isEstimate) as Estimate).value!;
const sql = "SELECT COUNT(*) FROM visits WHERE seen >= CURRENT_DATE - INTERVAL '3 days' AND seen < now()";

it("is the day of the clock in UTC, and the time its midnight", async () => {
  const release = await ask(sql, "first");
  expect(Math.abs(counted(release) - 30)).toBeLessThan(3);
  expect(release.certificate.plan.today).toBe("2024-06-11");
  expect((await house.report()).charges.at(-1)!.text).toBe(`${sql} [today = 2024-06-11]`);
  expect(Math.abs(counted(await ask(sql, "stated", 0, "2024-06-03")) - 20)).toBeLessThan(3);
});

it("is part of the request, which is another one on another day", async () => {
  const release = await ask(sql, "same");
  expect(await ask(sql, "same")).toEqual(release);
  expect(await ask(sql, "same", 1, "2024-06-11")).toEqual(release);
  await expect(ask(sql, "same", 1)).rejects.toMatchObject({ code: "ledger.request" });
  const timeless = "SELECT COUNT(*) FROM visits";
  expect(await ask(timeless, "timeless", 1)).toEqual(await ask(timeless, "timeless"));
  expect((await ask(timeless, "timeless")).certificate.plan).not.toHaveProperty("today");
});

it("is read by whoever verifies, who finds another one", async () => {
  const failed = async (release: Release): Promise<readonly string[]> => {
    const { checks } = await verifyRelease(JSON.stringify(release), { policyText: house.policyText });
    return checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
  };
  const release = await ask(sql, "verified");
  expect(await failed(release)).toEqual([]);
  const { certificate } = release;
  const lying = (today: string | undefined): Release =>
    ({ ...release, certificate: { ...certificate, plan: { ...certificate.plan, today } } }) as Release;
  for (const today of ["2024-06-10", "yesterday", undefined])
    expect(await failed(lying(today))).toContain("question");
});

it("is told before paying", async () => {
  const options = { ...optionsOf({ epsilon: "1" }), today: "2024-06-11" };
  const { tree } = await explain(sql, options, house.house.policy);
  expect(tree.details).toContain("the present day is 2024-06-11, in UTC, and its time midnight");
  await expect(explain(sql, optionsOf({ epsilon: "1" }), house.house.policy)).rejects.toMatchObject({
    code: "query.unsupported",
  });
});

it("makes the days up to it public", async () => {
  const text =
    "SELECT CAST(seen AS date) AS day, COUNT(*) FROM visits WHERE seen >= CURRENT_DATE - 3 AND seen < CURRENT_DATE GROUP BY 1 ORDER BY 1";
  expect((await ask(text, "days")).rows.map(([day]) => day)).toEqual([
    "2024-06-08",
    "2024-06-09",
    "2024-06-10",
  ]);
});
