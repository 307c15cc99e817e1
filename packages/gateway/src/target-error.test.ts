import { parseRational } from "@lethe/core";
import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { isEstimate, type Release } from "./release.ts";
import { explain } from "./resolved-question.ts";
import { openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(personPolicy("{ measure: approximate, epsilon: 1, delta: 1e-5 }"), visitsCsv);
});
afterAll(() => house.close());

const count = "COUNT(*) FROM visits";
const within = (error: string): string =>
  `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = ${error}) ${count}`;
const unpriced = { epsilon: null } as const;

it("a target error is paid for, kept to, and verified; asked again it costs nothing", async () => {
  const release = await house.ask(within("40"), { ...unpriced, requestId: "first" });
  const [cell] = release.rows[0]!.filter(isEstimate);
  expect((cell!.upper! - cell!.lower!) / 2).toBeLessThanOrEqual(40);
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: house.policyText,
    publicKeyPem: house.house.ledger.publicKey,
  });
  expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const { target, price } = await explain(within("40"), optionsOf(unpriced), house.house.policy);
  expect(release.certificate.charge).toEqual(price);
  expect(target!.reached).toBeLessThanOrEqual(40);
});

it("what the budget cannot reach is refused with what it can; that is then accepted", async () => {
  const before = await house.report();
  const asking = house.ask(within("2"), unpriced);
  await expect(asking).rejects.toMatchObject({
    code: "ledger.budget",
    message: expect.stringMatching(/what is left allows an error of \d+/),
    fix: expect.stringMatching(/^state target_error = \d+; or /),
  });
  expect(await house.report()).toEqual(before);
  const { fields } = await asking.catch((error) => error);
  const accepted = await house.ask(within(String(fields.reach)), unpriced);
  expect(accepted.rows).toHaveLength(1);
  // The next smaller number is not.
  await expect(house.ask(within(String(Number(fields.reach) - 1)), unpriced)).rejects.toMatchObject({
    code: "ledger.budget",
  });
});

it("of a spent account, what was answered once is answered still", async () => {
  const again = await house.ask(within("40"), { ...unpriced, requestId: "first" });
  const { charges } = await house.report();
  expect(charges).toHaveLength(2);
  expect((again as Release).certificate.requestId).toBe("first");
});

it("may stand beside the question, where another target is another question", async () => {
  const ask = (targetError: string, requestId: string): Promise<Release> =>
    answer(
      {
        text: `SELECT ${count}`,
        principal: "owner",
        requestId,
        options: { ...optionsOf(unpriced), targetError: parseRational(targetError) },
      },
      house.house,
    );
  await expect(ask("2", "beside")).rejects.toMatchObject({ code: "ledger.budget" });
  await expect(ask("40", "first")).rejects.toMatchObject({ code: "ledger.request" });
});
