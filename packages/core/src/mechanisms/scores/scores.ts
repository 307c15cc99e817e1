import { invalidParameter } from "../../errors/lethe-error.ts";
import {
  ceil,
  compare,
  divide,
  floor,
  fromDouble,
  multiply,
  type Rational,
  ratio,
  toText,
  zero,
} from "../../numeric/rational.ts";

/** How far scores can move between neighbours: the larger, the better a candidate. */
export interface ScoreSensitivity {
  /** The most that the score of any one candidate moves; an integer ≥ 1, as scores are integers. */
  readonly sensitivity: bigint;
  /** Whether all scores always move the same way (as counts do when a unit is added): half the price. */
  readonly monotone?: boolean;
}

/**
 * The most by which a difference of two scores can move: 2Δ, or Δ where all scores move the same way. It alone decides
 * the price of every selection here. Errors: parameter.invalid unless sensitivity ≥ 1.
 */
export function scoreRange({ sensitivity, monotone = false }: ScoreSensitivity): bigint {
  if (!(typeof sensitivity === "bigint" && sensitivity >= 1n)) {
    throw invalidParameter("sensitivity", sensitivity, "an integer ≥ 1");
  }
  return monotone ? sensitivity : 2n * sensitivity;
}

/** ε/range, for ε > 0: the factor of scores in exponents. Errors: parameter.invalid. */
export function rateFor(epsilon: Rational, range: bigint): Rational {
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  return divide(epsilon, ratio(range));
}

/** rate·range. Errors: parameter.invalid unless both are > 0. */
export function epsilonOf(rate: Rational, range: bigint): Rational {
  if (!(compare(rate, zero) > 0)) throw invalidParameter("rate", toText(rate), "> 0");
  if (!(typeof range === "bigint" && range >= 1n)) throw invalidParameter("range", range, "an integer ≥ 1");
  return multiply(rate, ratio(range));
}

/** Returns how far each score lies below the best. Errors: parameter.invalid for no candidates or a score that is no bigint. */
export function gapsBelowBest(scores: readonly bigint[]): bigint[] {
  if (!(Array.isArray(scores) && scores.length > 0))
    throw invalidParameter("candidates", "none", "at least one");
  if (!scores.every((score) => typeof score === "bigint")) {
    throw invalidParameter("scores", "others", "integers (bigint); see gridScores for doubles");
  }
  const best = scores.reduce((a, b) => (a > b ? a : b));
  return scores.map((score) => best - score);
}

/**
 * Scores that are doubles, moved down to integers on a public grid of this step, with the sensitivity that the integers have:
 * ⌊x/step⌋ moves by at most ⌈Δ/step⌉ where x moves by at most Δ. Which way they move stays the same.
 * Errors: parameter.invalid for NaN, ±Infinity, step ≤ 0, sensitivity ≤ 0.
 * @example gridScores([0.25, 1], { step: ratio(1n, 10n), sensitivity: ratio(1n) }) // => scores [2n, 10n], sensitivity 10n
 */
export function gridScores(
  scores: readonly number[],
  { step, sensitivity }: { readonly step: Rational; readonly sensitivity: Rational },
): { readonly scores: bigint[]; readonly sensitivity: bigint } {
  for (const [name, value] of Object.entries({ step, sensitivity })) {
    if (!(compare(value, zero) > 0)) throw invalidParameter(name, toText(value), "> 0");
  }
  if (!scores.every(Number.isFinite)) throw invalidParameter("scores", "others", "finite");
  return {
    scores: scores.map((score) => floor(divide(fromDouble(score), step))),
    sensitivity: ceil(divide(sensitivity, step)),
  };
}
