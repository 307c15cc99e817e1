import { type PrivacyLoss, type Rational, ratio, toDouble } from "@lethe/core";
import { gaussianFromEpsilon } from "@lethe/core/accounting";
import { gaussianFor, laplaceFor, type Noise } from "@lethe/core/mechanisms";
import { compare, divide, floorTo, multiply, zero } from "@lethe/core/numeric";
import type { DerivedNoised } from "./derive-tree.ts";
import type { NoiseFamily } from "./noise/choose-mechanisms.ts";

/**
 * Weights that minimise Σ importance · (noise/sensitivity)² under the family's trade: Laplace noise is 1/ε, so with Σε
 * fixed wᵢ ∝ importanceᵢ^⅓; a Gaussian's variance is 1/ρ (and 1/μ²), so wᵢ ∝ importanceᵢ^½; Laplace in zCDP costs ε²/2, the same trade.
 */
export const weights: Readonly<
  Record<PrivacyLoss["measure"], Readonly<Record<NoiseFamily, (importance: number) => number>>>
> = {
  pure: { laplace: Math.cbrt, gaussian: Math.sqrt },
  approximate: { laplace: Math.cbrt, gaussian: Math.sqrt },
  zcdp: { laplace: Math.sqrt, gaussian: Math.sqrt },
};

const constant: Noise = { mechanism: "constant@1" };

type Spender = (measurement: DerivedNoised, share: Rational) => Noise;
type Spending<M extends PrivacyLoss["measure"]> = (
  budget: Extract<PrivacyLoss, { measure: M }>,
  delta: Rational,
  rest: Rational,
) => Spender;

const spendEpsilon =
  (budget: { readonly epsilon: Rational }): Spender =>
  ({ l1 }, share) =>
    l1 === 0n ? constant : laplaceFor({ l1, epsilon: multiply(budget.epsilon, share) });

/** How a share of the budget becomes noise. `rest` is what all measurements together have of the budget. */
export const spenders: {
  readonly [M in PrivacyLoss["measure"]]: Readonly<Record<NoiseFamily, Spending<M>>>;
} = {
  pure: { laplace: spendEpsilon, gaussian: spendEpsilon },
  approximate: {
    laplace: spendEpsilon,
    // μ² adds up over Gaussians, so all of them are one mechanism, priced once.
    gaussian: (budget, delta, rest) => {
      if (compare(rest, zero) <= 0) return () => constant;
      const muSquared = gaussianFromEpsilon(multiply(budget.epsilon, rest), delta);
      return ({ l2Squared }, share) =>
        l2Squared === 0n
          ? constant
          : gaussianFor({ l2Squared, muSquared: divide(multiply(muSquared, share), rest) });
    },
  },
  zcdp: {
    gaussian:
      (budget) =>
      ({ l2Squared }, share) =>
        l2Squared === 0n ? constant : gaussianFor({ l2Squared, rho: multiply(budget.rho, share) }),
    laplace:
      (budget) =>
      ({ l1 }, share) =>
        l1 === 0n ? constant : laplaceFor({ l1, epsilon: epsilonOfRho(multiply(budget.rho, share)) }),
  },
};

/** ε-DP is ε²/2-zCDP (Bun & Steinke 2016, Prop. 1.4), so ε = √(2ρ), rounded down. */
function epsilonOfRho(rho: Rational): Rational {
  const root = Math.sqrt(toDouble(multiply(ratio(2n), rho), "down"));
  const grid = 1n << 60n;
  return floorTo(
    multiply(ratio(BigInt(Math.floor(root * 2 ** 60)), grid), ratio((1n << 40n) - 1n, 1n << 40n)),
    grid,
  );
}
