import { lossFromJson, lossToJson } from "@lethe/core";
import { composeLosses } from "@lethe/core/accounting";
import { verifyRelease } from "@lethe/verify";
import { afterEach, expect, it } from "vitest";
import { isEstimate, type Release } from "./release.ts";
import { explain } from "./resolved-question.ts";
import { openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";

const opened: TestHouse[] = [];
afterEach(async () => {
  for (const house of opened.splice(0)) await house.close();
});

async function houseOf(epsilon: string, measure = "approximate"): Promise<TestHouse> {
  const house = await openHouse(
    personPolicy(`{ measure: ${measure}, epsilon: ${epsilon}${measure === "pure" ? "" : ", delta: 1e-5"} }`),
    visitsCsv,
  );
  opened.push(house);
  return house;
}

// 1,487 rows, and Laplace noise of scale 24 or less: a pilot's count below 1,000 has a chance of 1e-9 a run.
const piloted = (share: string, max: string, pilot = "0.5"): string =>
  `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = '${share}', pilot_epsilon = ${pilot}, max_epsilon = ${max}) COUNT(*) AS n FROM visits`;
const asked = { epsilon: null, requestId: "r" } as const;

const failures = async (release: Release, { house, policyText }: TestHouse): Promise<unknown> => {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText,
    publicKeyPem: house.ledger.publicKey,
  });
  expect(checks.map(({ name }) => name)).toContain("pilot");
  return checks.filter(({ outcome }) => outcome === "failed");
};

const spentBy = (...releases: readonly Release[]): unknown =>
  lossToJson(
    composeLosses(
      releases[0]!.certificate.charge.measure,
      releases.map(({ certificate: { charge } }) => lossFromJson(charge)),
    ),
  );

it.each(["pure", "approximate", "zcdp"])(
  "%s: two charges, one answer, both stages certified; again at no charge",
  async (measure) => {
    const house = await houseOf("100", measure);
    const release = await house.ask(piloted("5%", "40"), asked);
    const { pilot, target, account } = release.certificate;
    const first = pilot!.rows[0]!.filter(isEstimate)[0]!.value!;
    expect(target!.capped).toBe(false);
    expect(target!.halfWidth).toBeCloseTo(0.05 * Math.abs(first), 6);
    expect(target!.reached).toBeLessThanOrEqual(target!.halfWidth);
    expect(await failures(release, house)).toEqual([]);
    const { charges, spent } = await house.report();
    expect(charges.map(({ requestId, state }) => [requestId, state])).toEqual([
      ["r (pilot)", "settled"],
      ["r", "settled"],
    ]);
    expect(lossToJson(spent)).toEqual(spentBy(pilot!, release));
    expect(account).toMatchObject({ spent: spentBy(pilot!, release) });
    expect(await house.ask(piloted("5%", "40"), asked)).toEqual(release);
    expect((await house.report()).charges).toHaveLength(2);
  },
);

it("what a pilot suggests is capped, and said to be", async () => {
  const house = await houseOf("100");
  const release = await house.ask(piloted("0.001%", "1.5"), asked);
  const { target } = release.certificate;
  expect(target).toMatchObject({ capped: true, epsilon: "3/2" });
  expect(release.notes.at(-1)).toMatch(/not reached, because the question limits its price to epsilon 1.5$/);
  expect(await failures(release, house)).toEqual([]);
});

it("where the second charge does not fit, the pilot is the answer, for good", async () => {
  const house = await houseOf("1");
  const release = await house.ask(piloted("0.1%", "50"), asked);
  const { pilot, target, charge, account } = release.certificate;
  expect(target).toBeUndefined();
  expect(release.rows).toEqual(pilot!.rows);
  expect(release.notes.at(-1)).toMatch(
    /the pilot alone, because the budget does not cover .* target_release = 'r \(pilot\)' instead of/,
  );
  expect(account).toMatchObject({ spent: charge });
  expect(await failures(release, house)).toEqual([]);
  // The note's advice, taken.
  const leaning = piloted("0.1%", "50").replace(
    "pilot_epsilon = 0.5, max_epsilon = 50",
    "target_release = 'r (pilot)'",
  );
  const explained = await explain(leaning, optionsOf({ epsilon: null }), house.house.policy, () =>
    Promise.resolve(pilot!),
  );
  expect(Number(explained.target!.epsilon.split("/")[0])).toBeGreaterThan(0);
  const { charges, spent } = await house.report();
  expect(charges.map(({ requestId, state }) => [requestId, state])).toEqual([
    ["r (pilot)", "settled"],
    ["r", "settled"],
  ]);
  expect(lossToJson(spent)).toEqual(charge);
  // More budget afterwards makes no other answer of it.
  await (house.house.ledger as unknown as { grant(added: object): Promise<void> }).grant({
    epsilon: { num: 99n, den: 1n },
    reason: "more",
  });
  expect(await house.ask(piloted("0.1%", "50"), asked)).toEqual(release);
  expect((await house.report()).charges).toHaveLength(2);
});

it("a crash at any point leaves what was charged, and asking again comes to the same charges", async () => {
  const house = await houseOf("100");
  const { engine } = house.house;
  const text = piloted("5%", "40");
  let runs = 0;
  const failingAt = (which: number): NonNullable<Parameters<TestHouse["ask"]>[1]> => ({
    ...asked,
    engine: {
      run: (query) => {
        runs += 1;
        return runs === which ? Promise.reject(new Error("gone")) : engine.run(query);
      },
    },
  });
  await expect(house.ask(text, failingAt(1))).rejects.toMatchObject({ code: "engine.failed" });
  expect((await house.report()).charges.map(({ requestId }) => requestId)).toEqual(["r (pilot)"]);
  runs = 0;
  await expect(house.ask(text, failingAt(2))).rejects.toMatchObject({ code: "engine.failed" });
  const between = await house.report();
  expect(between.charges.map(({ state }) => state)).toEqual(["settled", "failed"]);
  const release = await house.ask(text, asked);
  const after = await house.report();
  expect(after.spent).toEqual(between.spent);
  expect(lossToJson(after.spent)).toEqual(spentBy(release.certificate.pilot!, release));
});

it("another question under the id of a pilot is refused, and a pilot is refused that could lead nowhere", async () => {
  const house = await houseOf("100");
  await house.ask(piloted("5%", "40"), asked);
  await expect(house.ask("SELECT COUNT(*) FROM visits", { requestId: "r (pilot)" })).rejects.toMatchObject({
    code: "ledger.request",
  });
  const before = await house.report();
  for (const [text, says] of [
    [piloted("5%", "0.0000001"), /epsilon must be between/],
    [piloted("5%", "40").replace("COUNT(*)", "MEDIAN(cost)"), /how far values lie apart/],
    [piloted("5%", "40").replace(", max_epsilon = 40", ""), /nothing limits the price/],
    [piloted("5%", "40").replace("'5%'", "50"), /what a relative target is a share of/],
  ] as const)
    await expect(house.ask(text, { epsilon: null })).rejects.toMatchObject({
      code: "query.option",
      message: expect.stringMatching(says),
    });
  expect(await house.report()).toEqual(before);
});
