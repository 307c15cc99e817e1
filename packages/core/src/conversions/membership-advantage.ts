import { invalidParameter } from "../errors/lethe-error.ts";
import { expBracket } from "../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  toDouble,
  toText,
} from "../numeric/rational.ts";

/**
 * The most that any test can gain over guessing whether one unit is in the data: true positives less false positives of
 * every test on an (ε, δ)-DP release are at most (e^ε − 1 + 2δ)/(e^ε + 1), and some mechanism reaches it.
 * Source: the privacy region of Kairouz, Oh & Viswanath 2015, Thm 3.2; Humphries et al. 2023, Thm 1 (C Lemma 2).
 * Direction: exact, rounded up.
 * Errors: parameter.invalid unless ε ≥ 0 and 0 ≤ δ ≤ 1.
 * @example membershipAdvantage(ratio(1n), ratio(0n)) // => 0.4621171572600098 (P[right] ≤ 0.7311 on a fair coin)
 */
export function membershipAdvantage(epsilon: Rational, delta: Rational): number {
  if (!(epsilon.num >= 0n)) throw invalidParameter("epsilon", toText(epsilon), "≥ 0");
  if (!(delta.num >= 0n && delta.num <= delta.den))
    throw invalidParameter("delta", toText(delta), "between 0 and 1");
  // Beyond ε = 100 the answer is above 1 − 1e-43.
  if (compare(epsilon, ratio(100n)) > 0) return 1;
  // 1 − 2(1 − δ)/(e^ε + 1) increases with e^ε.
  const likelihoodRatio = expBracket(epsilon, 80).hi;
  const gap = divide(multiply(ratio(2n), subtract(one, delta)), add(likelihoodRatio, one));
  const advantage = subtract(one, gap);
  return Math.min(1, toDouble(advantage, "up"));
}
