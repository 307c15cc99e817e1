import { type BitSource, ratio, zero } from "@lethe/core";
import { expect, test } from "vitest";
import { boxMullerDouble } from "../known-bad/doubles.ts";
import { claimOf, pureClaim } from "../verify/claim.ts";
import { auditOneRun, oneRunChance } from "./one-run.ts";

test("without δ it is the binomial tail of randomized response", () => {
  const chance = oneRunChance(
    { canaries: 10, guesses: 10, correct: 10 },
    { epsilon: ratio(1n), delta: zero },
  );
  expect(chance).toBeCloseTo((Math.E / (1 + Math.E)) ** 10, 12);
  const withDelta = oneRunChance(
    { canaries: 10, guesses: 10, correct: 10 },
    { epsilon: ratio(1n), delta: ratio(1n, 1000n) },
  );
  const q = Math.E / (1 + Math.E);
  const binomials = [252, 210, 120, 45, 10]; // C(10, 5) … C(10, 9)
  const mass = (k: number): number => binomials[k - 5]! * q ** k * (1 - q) ** (10 - k);
  const steps = [1, 2, 3, 4, 5].map(
    (i) => [9, 8, 7, 6, 5].slice(0, i).reduce((sum, k) => sum + mass(k), 0) / i,
  );
  expect(withDelta).toBeCloseTo(chance + (20 * Math.max(...steps)) / 1000, 8);
});

/** A model that tells of each canary by randomized response. */
const training = (epsilon: number) => (included: readonly boolean[], bits: BitSource) =>
  included.map((each) => Number(bits.word() / 2 ** 32 < 1 / (1 + Math.exp(-epsilon)) === each));
const request = { canaries: 1000, guesses: 1000, seed: 3, falseAlarm: 1e-6, claim: pureClaim(ratio(1n)) };

test("training that costs what it claims is not flagged, twice as much is", () => {
  const held = auditOneRun({ ...request, train: training(1) });
  expect(held.broken).toEqual([]);
  expect(held.bounds[0]!.epsilon).toBeGreaterThan(0.5);
  expect(auditOneRun({ ...request, train: training(2) }).broken.length).toBe(1);
});

test("noise far below what its curve claims is flagged", () => {
  const claim = claimOf({ kind: "gaussian", version: 1, sigma: "3", sensitivity: "1" });
  const noisy = (sigma: number) => (included: readonly boolean[], bits: BitSource) =>
    included.map((each) => Number(each) + sigma * boxMullerDouble(bits));
  const run = { ...request, claim, guesses: 200 };
  expect(auditOneRun({ ...run, train: noisy(3) }).broken).toEqual([]);
  expect(auditOneRun({ ...run, train: noisy(0.2) }).broken.length).toBeGreaterThan(0);
});

test("canaries that leave no trace show no loss", () => {
  const run = auditOneRun({
    ...request,
    claim: pureClaim(ratio(1n, 100n)),
    train: (included, bits) => included.map(() => bits.word()),
  });
  expect(run.broken).toEqual([]);
  expect(run.bounds[0]!.epsilon).toBe(0);
});
