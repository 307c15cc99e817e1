import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { type Estimate, isEstimate, type Release } from "./release.ts";
import { openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visits, visitsCsv } from "./testing/visits.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(personPolicy("{ measure: approximate, epsilon: 100000, delta: 1e-5 }"), visitsCsv);
});
afterAll(() => house.close());

const sql = "SELECT COUNT(*) FROM visits WHERE city = $1 AND stay > $2";
const ask = (
  parameters: readonly (string | number | boolean | null)[],
  requestId: string,
  text = sql,
): Promise<Release> =>
  answer(
    { text, principal: "owner", requestId, options: { ...optionsOf({ epsilon: "500" }), parameters } },
    house.house,
  );
const counted = (release: Release): number => (release.rows[0]!.find(isEstimate) as Estimate).value!;

it("asks for what the values say, and the certificate says it too", async () => {
  const release = await ask(["Ur", 2], "first");
  const truth = visits.filter(({ city, stay }) => city === "Ur" && stay > 2).length;
  expect(Math.abs(counted(release) - truth)).toBeLessThan(3);
  expect(release.certificate.plan.parameters).toEqual(["Ur", 2]);
  const outcomes = async (of: Release): Promise<readonly string[]> => {
    const { checks } = await verifyRelease(JSON.stringify(of), { policyText: house.policyText });
    return checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
  };
  expect(await outcomes(release)).toEqual([]);
  const { certificate } = release;
  const lie = { ...certificate, plan: { ...certificate.plan, parameters: ["Kish", 2] } };
  expect(await outcomes({ ...release, certificate: lie })).toEqual(
    expect.arrayContaining(["signature", "question"]),
  );
  const { parameters: _, ...bare } = certificate.plan;
  expect(await outcomes({ ...release, certificate: { ...certificate, plan: bare } })).toContain("question");
});

it("is another question with other values", async () => {
  const before = (await house.report()).charges.length;
  const [first, again] = [await ask(["Ur", 2], "same"), await ask(["Ur", 2], "same")];
  expect(again).toEqual(first);
  await expect(ask(["Ur", 3], "same")).rejects.toMatchObject({ code: "ledger.request" });
  await expect(ask(["Ur", "2"], "same")).rejects.toMatchObject({ code: "query.type" });
  await expect(ask(["Ur"], "same")).rejects.toMatchObject({ code: "query.parameter" });
  const { charges } = await house.report();
  expect(charges).toHaveLength(before + 1);
  expect(charges.at(-1)!.text).toBe(`${sql} [$1 = "Ur", $2 = 2]`);
});

it("reaches the engine as a value, whatever stands in it", async () => {
  for (const [at, hostile] of [
    "'; DROP TABLE visits; --",
    "' OR '1' = '1",
    "\\' OR TRUE --",
    "$2",
    "Ur\u202e",
    `"${"'".repeat(99)}`,
  ].entries()) {
    expect(Math.abs(counted(await ask([hostile, -10], `hostile ${at}`)))).toBeLessThan(3);
  }
  expect(counted(await ask([-10], "all", "SELECT COUNT(*) FROM visits WHERE stay > $1"))).toBeGreaterThan(
    1000,
  );
});
