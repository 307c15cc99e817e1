import { type BitSource, ratio } from "@lethe/core";
import { expect, test } from "vitest";
import { boxMullerDouble } from "../known-bad/doubles.ts";
import { claimOf, pureClaim } from "../verify/claim.ts";
import { auditOneRun, isRefutedInOneRun } from "./one-run.ts";

test("a pure claim is judged by the binomial tail of randomized response", () => {
  const all = { canaries: 10, guesses: 10, correct: 10 };
  const tail = (Math.E / (1 + Math.E)) ** 10;
  expect(isRefutedInOneRun(all, pureClaim(ratio(1n)), tail * 0.999)).toBe(false);
  expect(isRefutedInOneRun(all, pureClaim(ratio(1n)), tail * 1.001)).toBe(true);
});

test.each([
  { canaries: 10, guesses: 11, correct: 1 },
  { canaries: 10, guesses: 5, correct: 6 },
  { canaries: 10, guesses: 5, correct: -1 },
  { canaries: 10, guesses: 5, correct: 2.5 },
])("$correct of $guesses of $canaries are no guesses", (found) => {
  expect(() => isRefutedInOneRun(found, pureClaim(ratio(1n)), 0.1)).toThrow(/guesses/);
});

test.each([
  { canaries: 10, guesses: 5, correct: 0 },
  { canaries: 10, guesses: 0, correct: 0 },
  { canaries: 5, guesses: 5, correct: 5 },
])("$correct of $guesses of $canaries are guesses, and refute no ε of 20", (found) => {
  expect(isRefutedInOneRun(found, pureClaim(ratio(20n)), 0.1)).toBe(false);
});

/** A model that tells of each canary by randomized response. */
const training = (epsilon: number) => (included: readonly boolean[], bits: BitSource) =>
  included.map((each) => Number(bits.word() / 2 ** 32 < 1 / (1 + Math.exp(-epsilon)) === each));
const request = { canaries: 1000, guesses: 1000, seed: 3, falseAlarm: 1e-6, claim: pureClaim(ratio(1n)) };

test("training that costs what it claims is not flagged, twice as much is", () => {
  const held = auditOneRun({ ...request, train: training(1) });
  expect(held.broken).toBe(false);
  expect(held.factor).toBeGreaterThan(0.5);
  expect(auditOneRun({ ...request, train: training(2) })).toMatchObject({
    broken: true,
    factor: expect.closeTo(1.6, 0),
  });
});

test("noise far below what its curve claims is flagged", () => {
  const claim = claimOf({ kind: "gaussian", version: 1, sigma: "3", sensitivity: "1" });
  const noisy = (sigma: number) => (included: readonly boolean[], bits: BitSource) =>
    included.map((each) => Number(each) + sigma * boxMullerDouble(bits));
  const run = { ...request, claim, guesses: 200 };
  expect(auditOneRun({ ...run, train: noisy(3) }).broken).toBe(false);
  expect(auditOneRun({ ...run, train: noisy(0.2) }).broken).toBe(true);
});

test("canaries that leave no trace show no loss", () => {
  const run = auditOneRun({
    ...request,
    claim: pureClaim(ratio(1n, 100n)),
    train: (included, bits) => included.map(() => bits.word()),
  });
  expect(run).toMatchObject({ broken: false, factor: 0 });
});

test.each([0, 1, 2, Number.NaN])("a false alarm of %d is none", (falseAlarm) => {
  const found = { canaries: 10, guesses: 10, correct: 10 };
  expect(() => isRefutedInOneRun(found, pureClaim(ratio(1n)), falseAlarm)).toThrow(/falseAlarm/);
});

test.each<[string, (included: readonly boolean[]) => unknown]>([
  ["too few", () => [1]],
  ["too many", (included) => [...included, true].map(Number)],
  ["NaN", (included) => included.map(() => Number.NaN)],
  ["holes", (included) => new Array(included.length)],
  ["none", () => undefined],
])("training that ends with %s for scores is refused, not passed", (_name, train) => {
  expect(() => auditOneRun({ ...request, train: train as never })).toThrow(/scores/);
});

test("training is told of the canaries, and cannot say which were in", () => {
  const erased = auditOneRun({
    ...request,
    train(included) {
      const scores = included.map((each) => (each ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY));
      (included as boolean[]).fill(false);
      return scores;
    },
    guesses: 800,
  });
  expect(erased).toMatchObject({ broken: true, correct: 800 });
});

/** Training that keeps who was in, and scores the first canaries highest. */
function falling(canaries: number) {
  const kept: { included: readonly boolean[] } = { included: [] };
  const train = (included: readonly boolean[]): readonly number[] => {
    kept.included = included;
    return included.map((_, at) => -at);
  };
  return { kept, request: { ...request, canaries, train } };
}

test.each([
  [2, 40],
  [10, 40],
  [40, 40],
  [2, 2],
])(
  "of %d guesses half are that the highest scores were in, and half that the lowest were not",
  (guesses, canaries) => {
    for (const seed of [1, 2, 3]) {
      const { kept, request: asked } = falling(canaries);
      const run = auditOneRun({ ...asked, guesses, seed });
      const { included } = kept;
      const half = guesses / 2;
      const right =
        included.filter((isIn, at) => at < half && isIn).length +
        included.filter((isIn, at) => at >= canaries - half && !isIn).length;
      expect(run).toMatchObject({ canaries, guesses, correct: right });
      expect(included).toHaveLength(canaries);
    }
  },
);

test("each canary is in by a coin of its own", () => {
  const { kept, request: asked } = falling(10_000);
  auditOneRun({ ...asked, guesses: 2 });
  const { included } = kept;
  // Ten standard deviations of 50.
  expect(Math.abs(included.filter(Boolean).length - 5_000)).toBeLessThan(500);
  expect(Math.abs(included.filter((isIn, at) => isIn === included[at - 1]).length - 5_000)).toBeLessThan(500);
});

test.each([0, 1, 3, -2, 42, Number.NaN])("%d guesses of 40 canaries are refused", (guesses) => {
  expect(() => auditOneRun({ ...falling(40).request, guesses })).toThrow(/even, and at most/);
});

test("a factor is the largest that is refuted, to 2^−12", () => {
  // Of ten guesses all are right: refuted at false alarm α where (e^(fε)/(1 + e^(fε)))^10 ≤ α.
  const all = { ...falling(10).request, guesses: 10, falseAlarm: 0.01, claim: pureClaim(ratio(1n, 4n)) };
  const { factor, broken } = auditOneRun({
    ...all,
    train: (included) => included.map(Number),
  });
  const root = 0.01 ** (1 / 10);
  const due = Math.log(root / (1 - root)) / (1 / 4);
  // As many are in as the coins say, so of ten sorted by whether they were in not all guesses are right.
  expect(broken).toBe(factor > 1);
  expect(factor).toBeLessThanOrEqual(due);
  const right = { canaries: 10, guesses: 10, correct: 10 };
  expect(isRefutedInOneRun(right, pureClaim(ratio(BigInt(Math.floor(due * 1e6)), 4_000_000n)), 0.01)).toBe(
    true,
  );
  expect(isRefutedInOneRun(right, pureClaim(ratio(BigInt(Math.ceil(due * 1e6)), 4_000_000n)), 0.01)).toBe(
    false,
  );
});
