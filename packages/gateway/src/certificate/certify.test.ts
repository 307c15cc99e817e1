import { createHash } from "node:crypto";
import { lossFromJson, type PrivacyLoss, type PrivacyLossText, parseRational, toDouble } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import type { Charge, ScopeBalance } from "@lethe/ledger";
import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { DrawingHouse } from "../house.ts";
import type { Question } from "../question.ts";
import type { CertifiedSchedule, CertifiedTarget, Release, SpentAccount } from "../release.ts";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { spentAccount } from "../testing/spent-account.ts";
import { rowPolicy } from "../testing/visits.ts";
import { accountState } from "./account-state.ts";
import { certify, certifyPilotAlone } from "./certify.ts";

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const signed = (text: string): string => `signed ${sha(text)}`;
const half: PrivacyLossText = { measure: "pure", epsilon: "1/2" };

/** The parts of a house that a certificate needs: a still clock, and a ledger whose account has spent so much. */
function houseOf(spent: PrivacyLossText = half): DrawingHouse {
  const loss = lossFromJson(spent);
  return {
    clock: () => Date.UTC(2024, 1, 29, 12, 30, 15, 7),
    ledger: {
      publicKey: "the key",
      balance: async () => balanceOf(loss, loss),
      sign: async (text: string) => signed(text),
    },
  } as unknown as DrawingHouse;
}

function balanceOf(granted: PrivacyLoss, spent: PrivacyLoss | null): ScopeBalance {
  const main = granted.measure === "zcdp" ? granted.rho : granted.epsilon;
  const delta = granted.measure === "pure" ? null : granted.delta;
  return {
    ...{ scope: ["account"], measure: granted.measure, listed: true, closed: false },
    periods: [{ per: "ever", since: 0, cap: { main, delta }, spent, reserved: null }],
  };
}

const answered = {
  columns: [{ name: "n", kind: "aggregate" as const }],
  rows: [[{ value: 4, lower: 2, upper: 6 }]],
  missing: [],
  notes: ["a note"],
};
const question: Question = {
  text: "SELECT COUNT(*) FROM visits",
  principal: "ana",
  requestId: "r",
  options: optionsOf({ epsilon: "1/2", confidence: 0.9 }),
};
const paid = {
  requestId: "r",
  principal: "ana",
  loss: lossFromJson(half),
  sequence: 7,
  hash: "cd".repeat(32),
} as unknown as Charge;

async function certified(
  house = houseOf(),
  extra: { target?: CertifiedTarget; pilot?: Release; schedule?: CertifiedSchedule } = {},
): Promise<Release> {
  const policy = readPolicy(rowPolicy("{ measure: pure, epsilon: 10 }"));
  const plan = await planText(question.text, question.options, policy);
  const { target = null, pilot = null, schedule = null } = extra;
  const at = house.clock();
  return certify(answered, { plan, paid, question, target, pilot, schedule, at }, house);
}

const accountAt = async (spent: PrivacyLossText): Promise<SpentAccount> =>
  spentAccount((await certified(houseOf(spent))).certificate.account);

describe("a certificate", () => {
  it("says who asked what under which charge, and when; it is signed, and binds the rows", async () => {
    const { version, certificate, signature, ...rest } = await certified();
    expect(version).toBe(1);
    expect(rest).toEqual(answered);
    expect(certificate).toMatchObject({
      version: 1,
      requestId: "r",
      principal: "ana",
      at: "2024-02-29T12:30:15.007Z",
      charge: half,
      confidence: 0.9,
      ledger: { sequence: 7, hash: "cd".repeat(32), publicKey: "the key" },
      rowsHash: sha(canonicalJson(answered)),
    });
    expect(certificate.plan.text).toBe(question.text);
    expect(certificate.losses.map(({ measure }) => measure)).toEqual(["pure", "approximate", "zcdp"]);
    expect(certificate.odds).toEqual(odds(certificate.plan.event));
    expect(signature).toBe(signed(canonicalJson(certificate)));
    expect(Object.keys(certificate)).not.toEqual(expect.arrayContaining(["target"]));
    expect(Object.keys(certificate)).not.toEqual(expect.arrayContaining(["pilot"]));
    expect("schedule" in certificate).toBe(false);
  });

  it("says which release schedule was kept, where one was", async () => {
    const schedule = { each: 2000, statements: 3 };
    expect((await certified(houseOf(), { schedule })).certificate.schedule).toEqual(schedule);
    const alone = await certifyPilotAlone(
      answered,
      await certified(),
      { question, schedule, at: 0 },
      houseOf(),
    );
    expect(alone.certificate.schedule).toEqual(schedule);
  });

  it("holds the target and the pilot where there are any", async () => {
    const [target, pilot] = [{ halfWidth: 5 } as CertifiedTarget, { version: 1 } as Release];
    const { certificate } = await certified(houseOf(), { target, pilot });
    expect([certificate.target, certificate.pilot]).toEqual([target, pilot]);
  });

  it("of a pilot alone is the pilot's, under the request's own name, time, account and rows", async () => {
    const pilot = await certified();
    const later = houseOf({ measure: "pure", epsilon: "2" });
    const told = { ...answered, notes: ["a note", "the pilot alone"] };
    const release = await certifyPilotAlone(
      told,
      pilot,
      { question: { ...question, requestId: "whole" }, schedule: null, at: 0 },
      later,
    );
    const { certificate, signature } = release;
    expect(release).toMatchObject({ version: 1, ...told });
    expect(certificate).toEqual({
      ...pilot.certificate,
      requestId: "whole",
      at: "1970-01-01T00:00:00.000Z",
      account: await accountAt({ measure: "pure", epsilon: "2" }),
      rowsHash: sha(canonicalJson(told)),
      pilot,
    });
    expect(signature).toBe(signed(canonicalJson(certificate)));
  });
});

describe("the account in a certificate", () => {
  it("is written as the ledger has it, with what an attacker can gain by all that was released", async () => {
    expect(await accountAt({ measure: "pure", epsilon: "1" })).toEqual({
      granted: { measure: "pure", epsilon: "1" },
      spent: { measure: "pure", epsilon: "1" },
      left: { measure: "pure", epsilon: "0" },
      // tanh(1/2), rounded up
      membershipAdvantage: 0.4621171572600098,
      // e/100
      truePositives: expect.closeTo(Math.E / 100, 12),
      // Φ(μ/2) is the corner e/(1 + e) of randomized response
      mu: expect.closeTo(1.2320353853, 9),
    });
  });

  it("under (ε, δ) counts δ: (e^ε − 1 + 2δ)/(e^ε + 1)", async () => {
    const { membershipAdvantage: gain } = await accountAt({
      measure: "approximate",
      epsilon: "1",
      delta: "1/10",
    });
    expect(gain).toBeCloseTo((Math.E - 1 + 0.2) / (Math.E + 1), 14);
    expect(
      (await accountAt({ measure: "approximate", epsilon: "1000", delta: "0" })).membershipAdvantage,
    ).toBe(1);
  });

  it("under zCDP is that of the worst mechanism of ρ, and what δ tells besides", async () => {
    for (const [rho, delta] of [
      ["0", "0"],
      ["1/1000000", "0"],
      ["1/10", "0"],
      ["1/4", "89/100"],
      ["2", "0"],
    ] as const) {
      // Randomized response of ε has ρ = ε·tanh(ε/2), and gains tanh(ε/2).
      let [low, high] = [0, 50];
      for (let turn = 0; turn < 100; turn += 1) {
        const epsilon = (low + high) / 2;
        if (epsilon * Math.tanh(epsilon / 2) <= toDouble(parseRational(rho), "up")) low = epsilon;
        else high = epsilon;
      }
      const d = toDouble(parseRational(delta), "up");
      const account = await accountAt({ measure: "zcdp", rho, delta });
      expect(account.membershipAdvantage).toBeCloseTo(d + (1 - d) * Math.tanh(low / 2), 12);
      expect(account.mu).toBe(rho === "0" ? 0 : null);
      expect(account.truePositives).toBeGreaterThanOrEqual(0.01);
    }
  });

  it("tells its cap alone to who may not see its spending, and windows alone where it has no lifetime", () => {
    const loss = lossFromJson(half);
    const charge = { loss, odds: odds({ kind: "laplace", version: 1, scale: "2", l1: "1" }) };
    expect(accountState(balanceOf(loss, null), charge)).toEqual({ granted: half });
    const { periods, ...account } = balanceOf(loss, loss);
    const window = { ...periods[0]!, per: "month" as const };
    const windowed = { ...account, periods: [{ ...periods[0]!, cap: null }, window] };
    expect(accountState(windowed, charge)).toEqual({
      lifetime: "none",
      windows: [{ per: "month", measure: "pure", main: "1/2", delta: null }],
    });
  });

  it("is no more than the odds of the charge where that is all that was spent", async () => {
    const noise = { kind: "rounded-gaussian", version: 1, sigma: "4.22", l2Squared: "1" } as const;
    const own = odds(noise);
    const loss = lossFromJson({ measure: "approximate", epsilon: "1", delta: "1/1000000" });
    const alone = accountState(balanceOf(loss, loss), { loss, odds: own });
    expect(alone).toMatchObject({
      membershipAdvantage: own.advantage,
      truePositives: own.truePositives,
      mu: own.mu,
    });
    expect(own.advantage).toBeLessThan(0.0944);
    const spent = lossFromJson({ measure: "approximate", epsilon: "2", delta: "1/1000000" });
    const more = spentAccount(accountState(balanceOf(spent, spent), { loss, odds: own }));
    expect(more.membershipAdvantage).toBeCloseTo(Math.tanh(1), 5);
  });

  it("under zCDP is never below what the best test gains, and 1 where δ leaves nothing", async () => {
    // Gaussian noise of ρ = 1/8 is a shift by half a standard deviation: the best test gains 2Φ(1/4) − 1 = 0.19741.
    const { membershipAdvantage: gain } = await accountAt({ measure: "zcdp", rho: "1/8", delta: "0" });
    expect(gain).toBeGreaterThan(0.19741);
    expect(gain).toBeLessThan(0.5);
    expect((await accountAt({ measure: "zcdp", rho: "1/8", delta: "1" })).membershipAdvantage).toBe(1);
    const most = await accountAt({ measure: "zcdp", rho: "1/8", delta: "9/10" });
    expect(most.membershipAdvantage).toBeLessThan(1);
    expect(most.membershipAdvantage).toBeGreaterThan(0.9);
  });
});
