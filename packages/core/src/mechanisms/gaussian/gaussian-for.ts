import { gaussianFromEpsilon } from "../../conversions/gaussian/gaussian-to-approximate.ts";
import { floorRho } from "../../conversions/search/loss-grid.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { type IntegerInput, integerOf, type RationalInput, rationalOf } from "../../numeric/exact-input.ts";
import { compare, divide, multiply, type Rational, ratio, toText, zero } from "../../numeric/rational.ts";
import type { Noise } from "../noise.ts";
import { rootUp } from "../root.ts";

/** The budget of Gaussian noise: ρ-zCDP, (ε, δ)-DP, or a share of a joint (Δ₂/σ)² from {@link gaussianFromEpsilon}. */
export type GaussianBudget<Written = Rational> =
  | { readonly rho: Written }
  | { readonly epsilon: Written; readonly delta: Written }
  | { readonly muSquared: Written };

function muSquaredOf(budget: GaussianBudget<RationalInput>): Rational {
  if ("muSquared" in budget) return rationalOf(budget.muSquared, "muSquared");
  if ("rho" in budget) return multiply(ratio(2n), floorRho(rationalOf(budget.rho, "rho")));
  return gaussianFromEpsilon(rationalOf(budget.epsilon, "epsilon"), rationalOf(budget.delta, "delta"));
}

/**
 * The rounded Gaussian noise of least σ (44 significant bits, rounded up) whose certified price stays within the budget
 * at squared ℓ2 sensitivity l2Squared. Sensitivity 0 needs no noise.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Alg. 1 (A Thm 2.7 for ρ); in place of B Claim 4.2 and of E's √(2
 * ln(1.25/δ)).
 * Direction: exact, σ rounded up.
 * Errors: parameter.invalid for a budget that is not positive, or too small for any finite σ.
 * @example gaussianFor({ l2Squared: 1, rho: 0.5 }) // => { mechanism: "rounded-gaussian@1", sigma: "1" }
 */
export function gaussianFor(
  request: { readonly l2Squared: IntegerInput } & GaussianBudget<RationalInput>,
): Noise {
  const l2Squared = integerOf(request.l2Squared, "l2Squared");
  if (!(l2Squared >= 0n)) throw invalidParameter("l2Squared", l2Squared, "≥ 0");
  const muSquared = muSquaredOf(request);
  if (!(compare(muSquared, zero) > 0)) throw invalidParameter("budget", toText(muSquared), "> 0");
  if (l2Squared === 0n) return { mechanism: "constant@1" };
  const sigma = rootUp(divide(ratio(l2Squared), muSquared));
  return { mechanism: "rounded-gaussian@1", sigma: toText(sigma) };
}
