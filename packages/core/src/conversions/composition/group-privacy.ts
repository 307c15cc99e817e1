import { invalidParameter } from "../../errors/lethe-error.ts";
import { checkEpsilon } from "../search/checks.ts";

/** Errors: parameter.invalid unless an integer ≥ 1. */
function checkSize(size: bigint): number {
  if (!(size >= 1n)) throw invalidParameter("size", size, "≥ 1");
  return Number(size);
}

/**
 * A group of k units sees an ε-DP mechanism as a kε-DP one. Rounded up.
 * Source: Dwork & Roth 2014, Thm 2.2 (A Fact 1.3).
 * Direction: exact
 * Errors: parameter.invalid unless k ≥ 1 and ε ≥ 0.
 * @example groupPure(0.1, 5n) // => 0.5
 */
export function groupPure(epsilon: number, size: bigint): number {
  const k = checkSize(size);
  return k === 1 ? checkEpsilon(epsilon) : checkEpsilon(epsilon) * k * (1 + 2e-16);
}

/**
 * A group of k units sees an (ε, δ)-DP mechanism as a (kε, δ·(e^(kε) − 1)/(e^ε − 1))-DP one; kδ at ε = 0. Rounded up; δ at most 1.
 * Source: C Lemma 1; Vadhan 2017, Lemma 2.2.
 * Direction: upper
 * Errors: parameter.invalid unless k ≥ 1, ε ≥ 0 and 0 ≤ δ ≤ 1.
 * @example groupApproximate({ epsilon: 0.1, delta: 1e-6 }, 5n).delta // => 6.16825718145e-6
 */
export function groupApproximate(
  loss: { readonly epsilon: number; readonly delta: number },
  size: bigint,
): { readonly epsilon: number; readonly delta: number } {
  const k = checkSize(size);
  const { epsilon, delta } = loss;
  checkEpsilon(epsilon);
  if (!(delta >= 0 && delta <= 1)) throw invalidParameter("delta", delta, "in [0, 1]");
  if (k === 1) return { epsilon, delta };
  const total = groupPure(epsilon, size);
  if (delta === 0) return { epsilon: total, delta };
  // e^((k−1)ε)·(1 − e^(−kε))/(1 − e^(−ε)): no overflow unless the answer is 1 anyway.
  const growth = epsilon === 0 ? k : Math.exp(total - epsilon) * (Math.expm1(-total) / Math.expm1(-epsilon));
  return { epsilon: total, delta: Math.min(1, delta * growth * (1 + 1e-14 + 4e-16 * total)) };
}

/**
 * A group of k units sees a μ-Gaussian mechanism as a kμ-Gaussian one: (kμ)² from μ². Rounded up.
 * Source: Dong, Roth & Su 2022, Thm 2.14 and Cor. 2.
 * Direction: exact
 * Errors: parameter.invalid unless k ≥ 1 and μ² ≥ 0.
 * @example groupGaussian(0.25, 2n) // => 1
 */
export function groupGaussian(muSquared: number, size: bigint): number {
  const k = checkSize(size);
  return k === 1
    ? checkEpsilon(muSquared, "muSquared")
    : checkEpsilon(muSquared, "muSquared") * k * k * (1 + 1e-15);
}

/**
 * A group of k units sees a (ρ, ω)-tCDP mechanism as a (k²ρ, ω/k)-tCDP one; null unless ω > k. At distance k the bound D_α ≤ kα/(kα−1)·D_{(kα−1)/(k−1)} + D_{kα}, by induction,
 * is kα(k−1)ρ + kαρ, and uses orders up to kα alone. ω = ∞ is zCDP. Rounded up.
 * Source: Bun & Steinke 2016, Prop. 1.9 and Lemma 5.2.
 * Direction: upper
 * Errors: parameter.invalid unless k ≥ 1 and ρ ≥ 0.
 * @example groupTcdp({ rho: 0.5, omega: Infinity }, 3n) // => { rho: 4.5, omega: Infinity }
 */
export function groupTcdp(
  loss: { readonly rho: number; readonly omega: number },
  size: bigint,
): { readonly rho: number; readonly omega: number } | null {
  const k = checkSize(size);
  const rho = checkEpsilon(loss.rho, "rho");
  if (k === 1) return { rho, omega: loss.omega };
  const omega = (loss.omega / k) * (1 - 2e-16);
  return omega > 1 ? { rho: rho * k * k * (1 + 1e-15), omega } : null;
}
