import { floorTo, fromDouble, type Rational, toDouble } from "@lethe/core";

/** Multiples of 1e-15: what a ρ that was derived is written in. */
const grid = 10n ** 15n;
/** Seven double operations, each within a few units in the last place of 2⁻⁵³; four decades to spare. */
const slack = 1e-12;

/**
 * The largest ρ, rounded down, whose ρ-zCDP implies (ε, δ)-DP by ε = ρ + 2·√(ρ·ln(1/δ)):
 * ρ = (√(ln(1/δ) + ε) − √ln(1/δ))². Bun & Steinke 2016, Prop. 1.3.
 */
export function rhoWithin(epsilon: Rational, delta: Rational): Rational {
  const log = -Math.log(toDouble(delta, "down"));
  const eps = toDouble(epsilon, "down");
  const root = eps / (Math.sqrt(log + eps) + Math.sqrt(log));
  const rho = root * root * (1 - slack);
  return Number.isFinite(rho) && rho > 0 ? floorTo(fromDouble(rho), grid) : { num: 0n, den: 1n };
}
