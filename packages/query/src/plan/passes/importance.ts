import type { PrivacyLoss } from "@lethe/core";

/** How the variance of noise falls with its share w of the price, 1/w^p: p is 2 for Laplace noise, 1 for a Gaussian and in zCDP. */
const roots: Readonly<Record<PrivacyLoss["measure"], { readonly power: number; root(x: number): number }>> = {
  pure: { power: 3, root: Math.cbrt },
  approximate: { power: 3, root: Math.cbrt },
  zcdp: { power: 2, root: Math.sqrt },
};

/**
 * Returns the weights of the parts of one answer: the squares of ∂answer/∂part · magnitude, scaled so that the answer by itself,
 * its price split over its parts as well as can be, has a squared error of 1. Answers that share a price are then each compared
 * with what they would be alone, however noisy they are.
 *
 * Σ sᵢ/wᵢ^p is least, over Σ wᵢ = 1, at wᵢ ∝ sᵢ^(1/(p + 1)), where it is (Σ sᵢ^(1/(p + 1)))^(p + 1).
 * @example importances("pure", [1]) // => [1]
 */
export function importances<const T extends readonly number[]>(
  measure: PrivacyLoss["measure"],
  squares: T,
): { readonly [K in keyof T]: number } {
  const { power, root } = roots[measure];
  const alone = squares.reduce((sum, square) => sum + root(square), 0) ** power;
  return squares.map((square) => square / alone) as { readonly [K in keyof T]: number };
}
