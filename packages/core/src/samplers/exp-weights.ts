import { doubleAt } from "../numeric/elements/element-at.ts";
import { multiply, type Rational, ratio, toDouble } from "../numeric/rational.ts";
import { expNegative } from "./exp-negative.ts";

/** Pieces of 32, so that {@link expNegative} is within its range; 22 of them are e^−704, just above the least normal double. */
const piece = 32;
const pieces: Float64Array = new Float64Array(23);
pieces[0] = 1;
for (let i = 1; i < pieces.length; i++) pieces[i] = doubleAt(pieces, i - 1) * expNegative(piece);

/** The least x at which a weight e^−x counts as 0, which is off by less than 2^−1015. */
export const weightlessFrom = 704;
/** e^{−704} < 2^−1015. */
export const weightlessError: number = 2 ** -1015;
/**
 * Relative error of {@link expWeight} within its range: 2^−40 a piece, at most 23 of them, and the exponent's own rounding
 * 704·2^−51, together below 2^−35.
 */
export const weightError: number = 2 ** -35;

/** e^{−rate·gap} as a double, from +, −, ×, ÷ and ⌊⌋ alone; 0 beyond {@link weightlessFrom}. For gap ≥ 0, rate ≥ 0. */
export function expWeight(gap: bigint, rate: Rational, rateDouble: number): number {
  if (gap === 0n) return 1;
  // A rate below 2^−900 would lose its relative precision, a gap beyond 2^1000 its finiteness.
  const plain = gap < 1n << 900n && rateDouble > 2 ** -900;
  const x = plain ? Number(gap) * rateDouble : toDouble(multiply(rate, ratio(gap)), "down");
  if (!(x < weightlessFrom)) return 0;
  const whole = Math.floor(x / piece);
  return doubleAt(pieces, whole) * expNegative(x - whole * piece);
}
