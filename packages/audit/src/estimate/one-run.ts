import {
  add,
  addUp,
  type BitSource,
  divide,
  divideUp,
  expBracket,
  fromDouble,
  invalidParameter,
  logBinomialMass,
  multiplyUp,
  one,
  type Rational,
  toDouble,
} from "@lethe/core";
import { SeededSource } from "@lethe/core/tape";
import type { Claim, Point } from "../verify/claim.ts";
import { binomialAtLeast } from "./binomial-tail.ts";

/** More than the relative error of a binomial mass in doubles, for as many guesses as anybody makes. */
const massError = 1 + 1e-9;

/** What an auditor guessed of canaries that were each in or out by a fair coin. */
export interface Guesses {
  readonly canaries: number;
  readonly guesses: number;
  readonly correct: number;
}

/**
 * The chance, at most, that so many guesses are right if training is (ε, δ)-DP for adding or removing one canary.
 * Source: Steinke, Nasr & Jagielski 2023, Thm 5.2 (arXiv 2305.08846).
 * Direction: upper.
 * Errors: parameter.invalid unless 0 ≤ correct ≤ guesses ≤ canaries are whole.
 * @example oneRunChance({ canaries: 100, guesses: 100, correct: 100 }, { epsilon: ratio(1n), delta: zero }) // => 2.5e-14
 */
export function oneRunChance({ canaries, guesses, correct }: Guesses, { epsilon, delta }: Point): number {
  if (!(correct >= 0 && correct <= guesses && guesses <= canaries && Number.isSafeInteger(canaries))) {
    throw invalidParameter(
      "guesses",
      `${correct} of ${guesses} of ${canaries}`,
      "0 ≤ correct ≤ guesses ≤ canaries",
    );
  }
  const growth = expBracket(epsilon, 80).hi;
  const right = toDouble(divide(growth, add(growth, one)), "up");
  const plain = binomialAtLeast(correct, guesses, right).hi;
  if (delta.num === 0n) return plain;
  // P[correct − i ≤ guesses that are right < correct], and the largest share of it a step.
  let [below, steepest] = [0, 0];
  for (let i = 1; i <= correct; i += 1) {
    const mass = Math.exp(logBinomialMass(guesses, correct - i, right, 1 - right));
    below = addUp(below, multiplyUp(mass, massError));
    steepest = Math.max(steepest, divideUp(below, i));
  }
  const extra = multiplyUp(multiplyUp(steepest, 2 * canaries), toDouble(delta, "up"));
  return Math.min(1, addUp(plain, extra));
}

/** One run of training, audited. */
export interface OneRun extends Guesses {
  /** A lower bound of ε at each claimed δ, at the stated false alarm. */
  readonly bounds: readonly { readonly point: Point; readonly epsilon: number }[];
  /** The claimed points that are refuted. */
  readonly broken: readonly Point[];
}

/**
 * Audits training from a single run: every canary is put in by a fair coin, training gives each a score (its loss falls where it was in),
 * and the auditor guesses "in" for the highest scores and "out" for the lowest. Points of the curve share the false alarm.
 * Source: Steinke, Nasr & Jagielski 2023, Alg. 1.
 * Direction: lower.
 * Errors: parameter.invalid for a number of guesses that is odd or above the number of canaries.
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
  const scores = train(included, bits);
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  const half = guesses / 2;
  const correct =
    order.slice(0, half).filter((at) => included[at]).length +
    order.slice(canaries - half).filter((at) => !included[at]).length;
  const found: Guesses = { canaries, guesses, correct };
  const alpha = falseAlarm / claim.points.length;
  return {
    ...found,
    broken: refutedBy(found, claim, falseAlarm),
    bounds: claim.points.map((point) => ({ point, epsilon: leastEpsilon(found, point.delta, alpha) })),
  };
}

/** The points of a curve that guesses refute; they share the false alarm, which must not have been chosen in view of the guesses. */
export function refutedBy(found: Guesses, { points }: Claim, falseAlarm: number): readonly Point[] {
  return points.filter((point) => oneRunChance(found, point) <= falseAlarm / points.length);
}

/** The largest ε that the guesses refute at this δ, to 2^−20; 0 where they refute none. */
function leastEpsilon(found: Guesses, delta: Rational, alpha: number): number {
  let [low, high] = [0, 16];
  for (let i = 0; i < 24; i += 1) {
    const middle = (low + high) / 2;
    if (oneRunChance(found, { epsilon: fromDouble(middle), delta }) <= alpha) low = middle;
    else high = middle;
  }
  return low;
}
