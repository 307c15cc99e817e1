import { invalidParameter } from "../errors/lethe-error.ts";
import { expBracket, lnBracket } from "../numeric/bracket.ts";
import {
  add,
  ceilTo,
  compare,
  divide,
  fromDouble,
  max,
  min,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import { epsilonGrid, floorRho, rhoGrid } from "./search/loss-grid.ts";
import { checkTargetDelta, greatestTrue, rootOfIncreasing } from "./search/search.ts";

/*
 * ρ-zCDP implies (ε, δ)-DP for every ε ≥ 0 with
 *   δ = inf over α > 1 of  exp((α − 1)(αρ − ε)) / (α − 1) · (1 − 1/α)^α,
 * equivalently, for every δ, with
 *   ε = inf over α > 1 of  αρ + ln(1 − 1/α) + (ln(1/δ) − ln α)/(α − 1).
 * Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Cor. 13 and Prop. 12. Any α gives a true bound, so a nearly
 * optimal α is found first and the bound at that α is then evaluated upward in exact arithmetic. α comes from IEEE
 * arithmetic and bracketed logarithms alone: the same on every machine.
 */

/** ln of a double > 0, the same on every machine; for the search of α. */
function ln(x: number): number {
  return toDouble(lnBracket(fromDouble(x), 44).lo, "down");
}

/** t → α = 1 + t with t cut to 24 bits, so that exact arithmetic stays small. */
function alphaOf(t: number): { readonly alpha: Rational; readonly excess: Rational } {
  const excess = fromDouble(Math.fround(t));
  return { alpha: add(one, excess), excess };
}

/**
 * The ε at which ρ-zCDP implies (ε, δ)-DP, a multiple of 2^−40, rounded up.
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Prop. 12 (tighter than C Lemma 7).
 * Direction: upper.
 * Errors: parameter.invalid unless ρ ≥ 0 and 2^-256 ≤ δ < 1.
 * @example toDouble(epsilonFromRho(ratio(1n, 2n), parseRational("1e-6")), "up") // => 5.22153444453…
 */
export function epsilonFromRho(rho: Rational, delta: Rational): Rational {
  checkTargetDelta(delta);
  if (rho.num === 0n) return zero;
  if (!(compare(rho, zero) > 0)) throw invalidParameter("rho", "negative", "≥ 0");
  const cost = lnBracket(divide(one, delta), 80).hi;
  const costDouble = toDouble(cost, "up");
  const rhoDouble = toDouble(rho, "up");
  // dε/dα = 0 where (α − 1)²·ρ + ln α = ln(1/δ).
  const t = rootOfIncreasing((x) => x * x * rhoDouble + ln(1 + x) - costDouble);
  const { alpha, excess } = alphaOf(t);
  const lnAlpha = lnBracket(alpha, 80);
  const bound = add(
    add(multiply(alpha, rho), lnBracket(divide(excess, alpha), 80).hi),
    divide(subtract(cost, lnAlpha.lo), excess),
  );
  return ceilTo(max(zero, bound), epsilonGrid);
}

/**
 * The δ at which ρ-zCDP implies (ε, δ)-DP, rounded up at a relative 2^−40; at most 1.
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Cor. 13.
 * Direction: upper.
 * Errors: parameter.invalid unless ρ ≥ 0 and ε ≥ 0.
 * @example toDouble(deltaFromRho(ratio(1n, 2n), ratio(4n)), "up") // => 0.00019579541695…
 */
export function deltaFromRho(rho: Rational, epsilon: Rational): Rational {
  if (!(compare(rho, zero) >= 0)) throw invalidParameter("rho", "negative", "≥ 0");
  if (!(compare(epsilon, zero) >= 0)) throw invalidParameter("epsilon", "negative", "≥ 0");
  if (rho.num === 0n) return zero;
  const rhoDouble = toDouble(rho, "up");
  const epsilonDouble = toDouble(epsilon, "up");
  // The derivative of ln δ is (2α − 1)ρ − ε + ln(1 − 1/α).
  const t = rootOfIncreasing((x) => (1 + 2 * x) * rhoDouble - epsilonDouble + ln(x / (1 + x)));
  const { alpha, excess } = alphaOf(t);
  const bits = 120;
  const exponent = add(
    subtract(multiply(excess, subtract(multiply(alpha, rho), epsilon)), lnBracket(excess, bits).lo),
    multiply(alpha, lnBracket(divide(excess, alpha), bits).hi),
  );
  if (exponent.num >= 0n) return one;
  const places = 48 + Math.ceil(-Math.LOG2E * toDouble(exponent, "down"));
  return min(one, ceilTo(expBracket(exponent, places).hi, 1n << BigInt(places)));
}

/**
 * The largest ρ (a multiple of 2^−60, to a relative 2^−44) with {@link epsilonFromRho}(ρ, δ) ≤ ε: what an (ε, δ) budget
 * is worth in zCDP. Rounded down.
 * Source: Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Prop. 12, inverted.
 * Direction: lower.
 * Errors: parameter.invalid unless 2^-256 ≤ δ < 1 and some positive ρ qualifies.
 * @example toDouble(rhoFromEpsilon(one, parseRational("1e-6")), "down") // => 0.024355970…
 */
export function rhoFromEpsilon(epsilon: Rational, delta: Rational): Rational {
  checkTargetDelta(delta);
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", "not positive", "> 0");
  const fits = (rho: Rational): boolean => compare(epsilonFromRho(rho, delta), epsilon) <= 0;
  // ε > ρ always, so ρ < ε; halve until the first fit, then refine 44 bits below it.
  let high = floorRho(epsilon);
  while (!fits(high)) {
    high = floorRho(multiply(high, ratio(1n, 2n)));
    if (high.num === 0n) throw invalidParameter("epsilon", "too small", "worth a ρ of at least 2^-60");
  }
  const step = max(ratio(1n, rhoGrid), floorRho(multiply(high, ratio(1n, 1n << 44n))));
  const extra = greatestTrue(0n, (k) => fits(add(high, multiply(ratio(k), step))));
  return floorRho(add(high, multiply(ratio(extra), step)));
}
