import { describe, expect, test } from "vitest";
import { clopperPearson } from "../../estimate/clopper-pearson.ts";
import { knownBad } from "../../known-bad/registry.ts";
import { trainings } from "../../trainings/registry.ts";
import { controlStep, powerOf } from "./control-step.ts";
import { type Innocent, innocentStep } from "./innocent-step.ts";
import type { SoakRequest } from "./soak-request.ts";

/** A clock on which each look takes a second more than the one before. */
function request(seeds: number): SoakRequest {
  let [now, step] = [0, 0];
  const spent = (): number => {
    step += 1;
    now += step;
    return now;
  };
  return { first: 100, seeds, draws: 1, falseAlarm: 1e-6, spent };
}

describe("a subject that is right", () => {
  const judged = { finding: null, loudly: false, measured: 0.5, allowed: 1 };
  const step = (judge: Innocent["judge"], seeds: number) =>
    innocentStep(
      "audit",
      "id",
      () => ({ claim: "claim", how: "work", judge, shown: ({ measured }) => `most ${measured}` }),
      request(seeds),
    );
  test("is told by the seed that says most", async () => {
    const measured = [0.2, 0.9, 0.9, 0.4];
    const row = await step((seed) => ({ ...judged, measured: measured[seed - 100]! }), 4).make();
    expect(row).toEqual({
      audit: "audit",
      subject: "id",
      of: "lethe",
      finding: null,
      claim: "claim",
      measured: "flagged on 0 of 4 seeds, on 0 at a false alarm of 5 %; most 0.9",
      interval: [0.9, Number.POSITIVE_INFINITY],
      ceiling: 1,
      how: "work a seed, at a false alarm of 1e-6 a seed over all mechanisms",
    });
    // Beside what is allowed there, not by itself.
    const far = await step(
      (seed) => ({ ...judged, ...(seed === 102 ? { measured: 0.3, allowed: 0.3 } : {}) }),
      4,
    ).make();
    expect(far).toMatchObject({ interval: [0.3, Number.POSITIVE_INFINITY], ceiling: 0.3 });
  });
  test("is a finding by the first seed that flags it", async () => {
    const row = await step(
      (seed) => ({ ...judged, finding: seed > 101 ? `errs at ${seed}` : null }),
      5,
    ).make();
    expect(row.finding).toBe("seed 102 says that it errs at 102");
    expect(row.measured).toMatch(/^flagged on 3 of 5 seeds, on 0 /);
  });
  test("is a finding where more seeds are loud than chance explains", async () => {
    const loud = (times: number) => step((seed) => ({ ...judged, loudly: seed < 100 + times }), 20).make();
    // Of 20 at 5 %: ten or more with chance 1.1e-8, eight or more with 3.7e-6.
    expect((await loud(8)).finding).toBe(null);
    expect((await loud(10)).finding).toBe("flagged too often at a false alarm of 0.05: 10 of 20");
    expect((await loud(8)).measured).toMatch(/on 8 at a false alarm of 5 %/);
  });
  test("tells its progress before each seed", async () => {
    const told: number[] = [];
    await step(() => judged, 3).make((at) => told.push(at));
    expect(told).toEqual([0, 1, 2]);
  });
});

describe("a subject that is wrong", () => {
  const round = { broken: true, epsilon: 3, claimed: 1, finding: "found" };
  const step = (judge: (seed: number) => typeof round, seeds: number, rounds = 2) =>
    controlStep(
      "audit",
      "id",
      () => ({ claim: "claim", rounds, how: "work", said: ({ epsilon }) => `ε ${epsilon}`, judge }),
      request(seeds),
    );
  test("is told by the round that says least, and by how long one takes", async () => {
    const epsilons = [3, 2, 2, 5];
    const row = await step(
      (seed) => ({ ...round, epsilon: epsilons[seed - 100]!, finding: `${seed}` }),
      4,
    ).make();
    const power = powerOf(4, 4, 2);
    expect(row).toEqual({
      audit: "audit",
      subject: "id",
      of: "control",
      finding: "loses more than it claims: 101",
      claim: "claim",
      measured: `caught in 4 of 4 rounds; of 2 rounds one catches with chance ≥ ${(Math.floor(power.lo * 1e8) / 1e6).toFixed(6)} %; at least ε 2`,
      interval: [2, Number.POSITIVE_INFINITY],
      ceiling: 1,
      // Looks at 1, 3, 6, 10 … 36: the last round took eight.
      how: "work a round, at most 8.00 s of work; Clopper–Pearson, wrong with chance at most 0.01 over all controls",
    });
  });
  test("is missed where rounds catch it too seldom", async () => {
    const row = await step((seed) => ({ ...round, broken: seed % 2 === 0 }), 400).make();
    expect(row.finding).toBe(null);
    expect(row.measured).toMatch(/^caught in 200 of 400 rounds; /);
    expect((await step(() => ({ ...round, broken: false }), 30).make()).finding).toBe(null);
  });
  test("is caught with the power of so many rounds, from what single ones miss", () => {
    const doubt = 0.01 / (knownBad.length + trainings.length);
    const missed = clopperPearson(30, 300, doubt);
    expect(powerOf(270, 300, 3)).toEqual({ lo: 1 - missed.hi ** 3, hi: 1 - missed.lo ** 3 });
    expect(powerOf(0, 300, 1).lo).toBe(0);
  });
  test("tells its progress before each round", async () => {
    const told: number[] = [];
    await step(() => round, 3).make((at) => told.push(at));
    expect(told).toEqual([0, 1, 2]);
  });
});
