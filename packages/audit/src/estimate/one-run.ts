import { type BitSource, invalidParameter, toDouble } from "@lethe/core";
import { add, divide, expBracket, fromDouble, multiply, one } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import { paired } from "../paired.ts";
import type { Claim } from "../verify/claim.ts";
import { binomialAtLeast } from "./binomial-tail.ts";
import type { Guesses } from "./guesses.ts";
import { isRefutedByCurve } from "./one-run-curve.ts";

/**
 * Whether so many guesses are right with chance at most `falseAlarm`, if training costs what is claimed for adding or removing one canary:
 * by the binomial tail of a pure claim, and by the whole curve.
 * Source: Steinke, Nasr & Jagielski 2023, Thm 5.2 (arXiv 2305.08846); Mahloujifar, Melis & Chaudhuri 2025 (arXiv 2410.22235).
 * Direction: upper: a claim that holds is refuted with chance at most `falseAlarm`.
 * Errors: parameter.invalid unless 0 ≤ correct ≤ guesses ≤ canaries are whole and 0 < falseAlarm < 1.
 * @example isRefutedInOneRun({ canaries: 100, guesses: 100, correct: 100 }, pureClaim(ratio(1n)), 1e-13) // => true: 2.5e-14
 */
export function isRefutedInOneRun(found: Guesses, { points }: Claim, falseAlarm: number): boolean {
  const { canaries, guesses, correct } = found;
  if (
    !(
      [canaries, guesses, correct].every(Number.isSafeInteger) &&
      0 <= correct &&
      correct <= guesses &&
      guesses <= canaries
    )
  ) {
    throw invalidParameter(
      "guesses",
      `${correct} of ${guesses} of ${canaries}`,
      "0 ≤ correct ≤ guesses ≤ canaries",
    );
  }
  if (!(falseAlarm > 0 && falseAlarm < 1)) {
    throw invalidParameter("falseAlarm", falseAlarm, "above 0 and below 1");
  }
  const byTail = points.some(({ epsilon, delta }) => {
    if (delta.num > 0n) return false;
    const growth = expBracket(epsilon, 80).hi;
    const right = toDouble(divide(growth, add(growth, one)), "up");
    return binomialAtLeast(correct, guesses, right).hi <= falseAlarm;
  });
  return byTail || isRefutedByCurve(found, points, falseAlarm);
}

/** One run of training, audited. */
export interface OneRun extends Guesses {
  /** Whether the claim is refuted at the stated false alarm. */
  readonly broken: boolean;
  /** The claim is refuted even with all its ε times any number below this one; 0 where nothing is. */
  readonly factor: number;
}

/**
 * Audits training from a single run: every canary is put in by a fair coin, training gives each a score (its loss falls where it was in),
 * and the auditor guesses "in" for the highest scores and "out" for the lowest. Few guesses of many canaries say most of noise.
 * Source: Steinke, Nasr & Jagielski 2023, Alg. 1.
 * Direction: lower.
 * Errors: parameter.invalid for a number of guesses that is odd or above the number of canaries, and unless each canary has a score: of
 * training that ended in NaN no guess says anything.
 */
export function auditOneRun({
  canaries,
  guesses,
  claim,
  train,
  seed,
  falseAlarm,
}: {
  readonly canaries: number;
  /** How many canaries are guessed of, half of them "in"; even. */
  readonly guesses: number;
  readonly claim: Claim;
  /** Larger scores for canaries that seem to have been in. */
  readonly train: (included: readonly boolean[], bits: BitSource) => readonly number[];
  readonly seed: number;
  readonly falseAlarm: number;
}): OneRun {
  if (!(guesses % 2 === 0 && guesses >= 2 && guesses <= canaries)) {
    throw invalidParameter("guesses", guesses, "even, and at most the number of canaries");
  }
  const bits = new SeededSource(seed);
  const included = Array.from({ length: canaries }, () => (bits.word() & 1) === 1);
  const scores = scoresOf(train([...included], bits), canaries); // a copy: what was in stays what it was
  const order = paired(included, scores)
    .map(([isIn, score]) => ({ isIn, score }))
    .sort((a, b) => Number(a.score < b.score) - Number(a.score > b.score));
  const half = guesses / 2;
  const correct =
    order.slice(0, half).filter(({ isIn }) => isIn).length +
    order.slice(canaries - half).filter(({ isIn }) => !isIn).length;
  const found: Guesses = { canaries, guesses, correct };
  return {
    ...found,
    broken: isRefutedInOneRun(found, claim, falseAlarm),
    factor: factorOf(found, claim, falseAlarm),
  };
}

function scoresOf(told: readonly number[], canaries: number): readonly number[] {
  const isScore = (score: unknown): boolean => typeof score === "number" && !Number.isNaN(score);
  if (Array.isArray(told) && told.length === canaries && Array.from(told).every(isScore)) return told;
  throw invalidParameter("scores", "others", "a number for each canary");
}

/** The largest factor of a claim's ε that the guesses refute, to 2^−12 below 4. */
function factorOf(found: Guesses, claim: Claim, falseAlarm: number): number {
  let [low, high] = [0, 4];
  for (let i = 0; i < 14; i += 1) {
    const middle = (low + high) / 2;
    if (isRefutedInOneRun(found, scaled(claim, middle), falseAlarm)) low = middle;
    else high = middle;
  }
  return low;
}

function scaled({ text, points }: Claim, factor: number): Claim {
  const by = fromDouble(factor);
  return { text, points: points.map(({ epsilon, delta }) => ({ epsilon: multiply(by, epsilon), delta })) };
}
