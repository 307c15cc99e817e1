import { auditOneRun, type Claim, claimOf, familyBound } from "@lethe/audit";
import { account } from "@lethe/core";
import { SeededSource } from "@lethe/core/tape";
import { type PrivatePlan, privatePlan } from "@lethe/learn/gradients";
import { describe, expect, it } from "vitest";
import { canaryScores } from "./canary-scores.ts";

const runs = 60_000;
const epsilons = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1];
const toy = (noise: number): PrivatePlan =>
  privatePlan({
    model: { name: "canaries", parameters: runs },
    loss: "linear",
    adjacency: "add-or-remove-one",
    units: runs,
    sampler: "poisson",
    rate: "1/4",
    clip: 1,
    noise,
    delta: 1e-5,
    steps: 8,
  });
/** About ε 1 at δ 1e-5. */
const noise = 2.9;
const claims = new Map<number, Claim>();
const claimAt = (multiplier: number): Claim => {
  const claim = claims.get(multiplier) ?? claimOf(toy(multiplier).event, "add-or-remove-one", epsilons);
  claims.set(multiplier, claim);
  return claim;
};
const epsilonOf = (multiplier: number): number => account(toy(multiplier).event).epsilon(1e-5).upper;

async function bound(drawn: PrivatePlan) {
  const claimed = toy(noise);
  return familyBound({
    present: await canaryScores(drawn, true, new SeededSource(1), claimed),
    absent: await canaryScores(drawn, false, new SeededSource(2), claimed),
    claimAt,
    range: [noise / 2, 2 * noise],
    falseAlarm: 1e-6,
  });
}

/** A seeded slice of `npm run bench -- learn-lower-bound`. */
describe("a training whose every step is seen", () => {
  it("loses no more than its plan claims, and at least half of it", async () => {
    const { refuted } = await bound(toy(noise));
    expect(refuted).not.toBeNull();
    // A larger multiplier claims less: what is refuted lies above the plan's own.
    expect(refuted!).toBeGreaterThan(noise);
    expect(epsilonOf(refuted!) / epsilonOf(noise)).toBeGreaterThan(0.5);
    expect(epsilonOf(refuted!) / epsilonOf(noise)).toBeLessThan(1);
  });
  it("with a quarter less noise than it claims is refuted", async () => {
    const { refuted } = await bound(toy(0.75 * noise));
    expect(refuted!).toBeLessThan(noise);
  });
});

/** Of canaries that have a weight of their own, one run with some in is each one's run with it or without it, on the same coins. */
async function oneRun(drawn: PrivatePlan) {
  const claimed = toy(noise);
  const [present, absent] = [
    await canaryScores(drawn, true, new SeededSource(9), claimed),
    await canaryScores(drawn, false, new SeededSource(9), claimed),
  ];
  return auditOneRun({
    canaries: 4000,
    guesses: 800,
    claim: claimAt(noise),
    train: (included) => included.map((isIn, i) => (isIn ? present : absent)[i] ?? 0),
    seed: 3,
    falseAlarm: 1e-3,
  });
}

describe("one run with 4,000 canaries, at 99.9 %", () => {
  it("does not refute what the plan claims", async () => {
    const { broken, factor } = await oneRun(toy(noise));
    expect(broken).toBe(false);
    expect(factor).toBeLessThanOrEqual(1);
  });
  it("refutes it where the noise is a third of what is claimed", async () => {
    expect((await oneRun(toy(noise / 3))).broken).toBe(true);
  });
});
