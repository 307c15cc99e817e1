import { ceilTo, floorTo, type Rational } from "../../numeric/rational.ts";

/** A transcendental ε is reported as a multiple of 2^-40. */
export const epsilonGrid: bigint = 1n << 40n;
/** A ρ that is not a short rational by itself is reported as a multiple of 2^-60. */
export const rhoGrid: bigint = 1n << 60n;

/** Up: toward more loss. */
export function ceilRho(rho: Rational): Rational {
  return ceilTo(rho, rhoGrid);
}
/** Down: the largest ρ whose report is covered by what was asked. */
export function floorRho(rho: Rational): Rational {
  return floorTo(rho, rhoGrid);
}
