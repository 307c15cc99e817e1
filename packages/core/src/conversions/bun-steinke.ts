import { lnBracket, sqrtBracket } from "../numeric/bracket.ts";
import { add, ceilTo, divide, multiply, one, type Rational, ratio, zero } from "../numeric/rational.ts";
import { epsilonGrid } from "./search/loss-grid.ts";
import { checkTargetDelta } from "./search/search.ts";

/**
 * ρ-zCDP implies (ε, δ)-DP with  ε = ρ + 2·√(ρ·ln(1/δ)).
 * A multiple of 2^−40, rounded up. The textbook form: {@link epsilonFromRho} of
 * Canonne, Kamath & Steinke is never larger, and is what is charged.
 * Source: Bun & Steinke 2016, Prop. 1.3 (A Thm 2.6).
 * Direction: upper.
 * @example toDouble(epsilonFromRhoTextbook(ratio(1n, 2n), parseRational("1e-6")), "up") // => 5.75652176976…
 */
export function epsilonFromRhoTextbook(rho: Rational, delta: Rational): Rational {
  checkTargetDelta(delta);
  if (rho.num === 0n) return zero;
  const cost = lnBracket(divide(one, delta), 80).hi;
  const root = sqrtBracket(multiply(rho, cost), 80).hi;
  return ceilTo(add(rho, multiply(ratio(2n), root)), epsilonGrid);
}
