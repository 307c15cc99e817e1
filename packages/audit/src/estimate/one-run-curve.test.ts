import { ratio } from "@lethe/core";
import { fromDouble } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimOf, type Point, pureClaim } from "../verify/claim.ts";
import { binomialAtLeast } from "./binomial-tail.ts";
import { isRefutedByCurve } from "./one-run-curve.ts";

/** A training with so few canaries that everything can be enumerated: the chance of each output for each choice of canaries. */
interface Small {
  readonly canaries: number;
  readonly chances: readonly (readonly number[])[];
  /** The guesses for each output: 1 for in, 0 for out, null for none. */
  readonly guesses: readonly (readonly (0 | 1 | null)[])[];
}

const isIn = (world: number, canary: number): number => (world >> canary) & 1;

/** δ(ε) over all neighbours both ways, and a little more for the rounding of sums. */
function pointAt({ canaries, chances }: Small, epsilon: number): Point {
  let delta = 0;
  for (let world = 0; world < chances.length; world += 1)
    for (let canary = 0; canary < canaries; canary += 1) {
      const other = chances[world ^ (1 << canary)]!;
      const excess = chances[world]!.map((p, at) => Math.max(0, p - Math.exp(epsilon) * other[at]!));
      delta = Math.max(
        delta,
        excess.reduce((sum, p) => sum + p, 0),
      );
    }
  return { epsilon: fromDouble(epsilon), delta: fromDouble(Math.min(1, delta * (1 + 1e-12) + 1e-15)) };
}

/** P[C = k] for k = 0 … r. */
function lawOfCorrect({ canaries, chances, guesses }: Small, many: number): number[] {
  const law = Array.from({ length: many + 1 }, () => 0);
  for (const [world, outputs] of chances.entries())
    for (const [output, p] of outputs.entries()) {
      const right = guesses[output]!.filter((guess, at) => guess === isIn(world, at)).length;
      law[right]! += p / 2 ** canaries;
    }
  return law;
}

const epsilons = Array.from({ length: 60 }, (_, at) => at / 10);

/** Masses that are often small or nothing, so that curves have long tails. */
const weight = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0, 1e-3, 1e-2));
const small: fc.Arbitrary<{ readonly small: Small; readonly many: number }> = fc
  .record({ canaries: fc.integer({ min: 1, max: 4 }), outputs: fc.integer({ min: 1, max: 7 }) })
  .chain(({ canaries, outputs }) =>
    fc.integer({ min: 1, max: canaries }).chain((many) =>
      fc.record({
        many: fc.constant(many),
        small: fc.record({
          canaries: fc.constant(canaries),
          chances: fc
            .array(fc.array(weight, { minLength: outputs, maxLength: outputs }), {
              minLength: 2 ** canaries,
              maxLength: 2 ** canaries,
            })
            .map((rows) => rows.map(toLaw)),
          guesses: fc.array(
            fc
              .tuple(
                fc.shuffledSubarray([...Array(canaries).keys()], { minLength: many, maxLength: many }),
                fc.integer({ min: 0, max: 2 ** canaries - 1 }),
              )
              .map(([of, bits]) =>
                Array.from({ length: canaries }, (_, at) =>
                  of.includes(at) ? (isIn(bits, at) as 0 | 1) : null,
                ),
              ),
            { minLength: outputs, maxLength: outputs },
          ),
        }),
      }),
    ),
  );

function toLaw(row: readonly number[]): number[] {
  const total = row.reduce((sum, p) => sum + p, 0);
  return row.map((p, at) => (total > 0 ? p / total : Number(at === 0)));
}

/** f̄ of a curve, in doubles. */
function reach(points: readonly Point[], x: number): number {
  const pieces = points.flatMap(({ epsilon, delta }) => {
    const [e, d] = [Number(epsilon.num) / Number(epsilon.den), Number(delta.num) / Number(delta.den)];
    return [d + Math.exp(e) * x, 1 - Math.exp(-e) * (1 - d - x)];
  });
  return Math.min(1, ...pieces);
}

describe("training that is counted out", () => {
  test("keeps to the lemma for every set of numbers of right guesses", () => {
    fc.assert(
      fc.property(small, ({ small: each, many }) => {
        const points = epsilons.map((epsilon) => pointAt(each, epsilon));
        const law = lawOfCorrect(each, many);
        for (let set = 0; set < 2 ** many; set += 1) {
          let [right, wrong] = [0, 0];
          for (let k = 0; k < many; k += 1) {
            if (isIn(set, k) === 0) continue;
            right += (k + 1) * law[k + 1]!;
            wrong += (many - k) * law[k]!;
          }
          const { canaries } = each;
          expect(right).toBeLessThanOrEqual(canaries * reach(points, wrong / canaries) + 1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("is never refuted at the chance that so many guesses are right", () => {
    fc.assert(
      fc.property(small, ({ small: each, many }) => {
        const points = epsilons.map((epsilon) => pointAt(each, epsilon));
        const law = lawOfCorrect(each, many);
        for (let correct = 1; correct <= many; correct += 1) {
          const chance = law.slice(correct).reduce((sum, p) => sum + p, 0);
          const found = { canaries: each.canaries, guesses: many, correct };
          if (chance > 0) expect(isRefutedByCurve(found, points, chance * (1 - 1e-9))).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** The largest false alarm at which a claim stands. */
function standsAt(
  found: { canaries: number; guesses: number; correct: number },
  points: readonly Point[],
): number {
  let [low, high] = [-40, 0];
  for (let i = 0; i < 40; i += 1) {
    const middle = (low + high) / 2;
    if (isRefutedByCurve(found, points, 10 ** middle)) high = middle;
    else low = middle;
  }
  return 10 ** low;
}

/**
 * The most that P[C ≥ c] can be, by a linear program over all mechanisms. Flips of coins and orders of canaries leave a best one alone, so
 * that it is a law p of C with Σ_k max(0, k p_k − e^ε (r − k + 1) p_{k−1}) + max(0, (r − k) p_k − e^ε (k + 1) p_{k+1}) ≤ m δ for each point;
 * for 3 canaries the program over the law of all guesses in each world gives the same.
 */
describe("the best of all mechanisms", () => {
  const two = [
    [0, 0.25],
    [1, 0.0625],
  ] as const;
  const three = [
    [0, 0.375],
    [1, 0.125],
    [2, 0.015625],
  ] as const;
  test.each([
    { m: 2, r: 1, c: 1, points: [[0, 0.125]] as const, most: 0.625, isMet: true },
    { m: 3, r: 2, c: 1, points: [[1, 0.0625]] as const, most: 0.9596646596, isMet: false },
    { m: 3, r: 2, c: 2, points: two, most: 0.5278160311, isMet: true },
    { m: 3, r: 3, c: 2, points: two, most: 0.75, isMet: false },
    { m: 6, r: 4, c: 3, points: two, most: 0.693339093, isMet: false },
    { m: 20, r: 4, c: 4, points: three, most: 0.6329748826, isMet: true },
    { m: 100, r: 30, c: 29, points: three, most: 0.1467173028, isMet: false },
  ])("of $m canaries, $r guesses and $c right ones stands", ({ m, r, c, points, most, isMet }) => {
    const claimed = points.map(([e, d]) => ({ epsilon: fromDouble(e), delta: fromDouble(d) }));
    const isRefuted = (chance: number): boolean =>
      isRefutedByCurve({ canaries: m, guesses: r, correct: c }, claimed, chance);
    expect(isRefuted(most * (1 - 1e-6))).toBe(false);
    // Where all guesses are right, tail sets lose nothing; else the bound lies a little above.
    expect(isRefuted(most * (1 + 1e-6))).toBe(isMet);
    if (most * 1.3 < 1) expect(isRefuted(most * 1.3)).toBe(true);
  });
});

describe("how much it says", () => {
  test("of all guesses right, exactly what randomized response gives", () => {
    const points = pureClaim(ratio(1n)).points;
    const stands = standsAt({ canaries: 12, guesses: 12, correct: 12 }, points);
    expect(stands / (Math.E / (1 + Math.E)) ** 12).toBeCloseTo(1, 6);
  });
  test.each([
    [100, 90],
    [1000, 800],
    [1000, 840],
  ])("of %d guesses, %d right, not much less", (guesses, correct) => {
    const stands = standsAt({ canaries: guesses, guesses, correct }, pureClaim(ratio(1n)).points);
    const truth = binomialAtLeast(correct, guesses, Math.E / (1 + Math.E)).lo;
    expect(stands).toBeGreaterThanOrEqual(truth * (1 - 1e-6));
    expect(stands).toBeLessThan(truth * 1.3);
  });
  test.each([
    [0.05, 1.5, 1.9],
    [1e-8, 0.65, 0.85],
  ])(
    "of Gaussian noise, at a false alarm of %d: μ is more than %d, and perhaps than %d",
    (falseAlarm, low, high) => {
      // Of 20,000 canaries those 2,000 that stand out most are told apart so well where μ = 2.
      const found = { canaries: 20_000, guesses: 2_000, correct: 1_994 };
      const isRefuted = (mu: number): boolean => {
        const event = { kind: "gaussian", version: 1, sigma: "1", sensitivity: `${mu}` } as const;
        return isRefutedByCurve(found, claimOf(event, "add-or-remove-one", epsilons).points, falseAlarm);
      };
      expect([low, high].map(isRefuted)).toEqual([true, false]);
    },
  );
  test("nothing, of none right", () => {
    expect(isRefutedByCurve({ canaries: 9, guesses: 9, correct: 0 }, pureClaim(ratio(0n)).points, 0.9)).toBe(
      false,
    );
  });
});
