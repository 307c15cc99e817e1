import { invalidParameter } from "../errors/lethe-error.ts";
import { divide, fromDouble, one, type Rational, toDouble } from "../numeric/rational.ts";

/** E[K] of the truncated negative binomial law. Papernot & Steinke 2022 (arXiv 2110.03620), Def. 1. */
function meanOf(shape: number, stop: number): number {
  const odds = (1 - stop) / stop;
  return shape === 0 ? odds / -Math.log(stop) : (shape * odds) / -Math.expm1(shape * Math.log(stop));
}

/**
 * The γ of a truncated negative binomial law of this shape ≥ 0 and mean > 1: exact for the geometric law (shape 1), otherwise
 * rounded down by a relative 2^−40, toward more trials and so toward more loss.
 * Errors: parameter.invalid where γ would lie below 2^−1000.
 * @example negativeBinomialStop(one, ratio(10n)) // => 1/10
 */
export function negativeBinomialStop(shape: Rational, mean: Rational): Rational {
  if (shape.num === shape.den) return divide(one, mean);
  const [eta, target] = [toDouble(shape, "up"), toDouble(mean, "up")];
  // The mean falls from ∞ at γ = 0 to 1 at γ = 1; ln γ is bisected.
  let low = -693;
  let high = 0;
  if (!(meanOf(eta, Math.exp(low)) > target)) throw invalidParameter("mean", target, "below 2^900");
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    if (meanOf(eta, Math.exp(middle)) > target) low = middle;
    else high = middle;
  }
  return fromDouble(Math.exp(low) * (1 - 2 ** -40));
}
