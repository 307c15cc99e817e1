import { zcdpRenyi } from "../losses/renyi/curves/zcdp-renyi.ts";
import { deltaFromRenyi, epsilonFromRenyi } from "./renyi-to-approximate.ts";

/**
 * (ρ, ω)-tCDP implies (ε, δ)-DP with the least ε over orders below ω; ω = ∞ is ρ-zCDP. Rounded up.
 * Source: Bun, Dwork, Rothblum & Steinke 2018, Lemma 6; in the tight form of Canonne, Kamath & Steinke 2020, Prop. 12 (A Thm 2.6).
 * Direction: upper
 * Errors: parameter.invalid unless ρ ≥ 0, ω > 1 and 0 ≤ δ < 1.
 * @example epsilonFromTcdp(0.1, Infinity, 1e-5) // => 1.914238832
 */
export function epsilonFromTcdp(rho: number, omega: number, delta: number): number {
  return rho === 0 && omega === Number.POSITIVE_INFINITY ? 0 : epsilonFromRenyi(zcdpRenyi(rho, omega), delta);
}

/**
 * (ρ, ω)-tCDP implies (ε, δ)-DP with the least δ over orders below ω. Rounded up.
 * Source: Bun, Dwork, Rothblum & Steinke 2018, Lemma 6; in the tight form of Canonne, Kamath & Steinke 2020, Prop. 12.
 * Direction: upper
 * Errors: parameter.invalid unless ρ ≥ 0, ω > 1 and ε ≥ 0.
 * @example deltaFromTcdp(0.5, Infinity, 4) // => 0.000195795416958
 */
export function deltaFromTcdp(rho: number, omega: number, epsilon: number): number {
  return rho === 0 && omega === Number.POSITIVE_INFINITY ? 0 : deltaFromRenyi(zcdpRenyi(rho, omega), epsilon);
}
