import { noisyIterationRho } from "@lethe/core/accounting";

/** A pass in which a unit is read once, and what its steps in doubles are worth. */
export interface ComputedPass {
  readonly steps: number;
  /** σ of the noise on the mean gradient of a batch. */
  readonly sigma: number;
  readonly lipschitz: number;
  readonly smoothness: number;
  readonly stepSize: number;
  readonly dimension: number;
  /** How far a computed step lies from the exact one, the rounding of the noise aside. */
  readonly slack: number;
}

/** The noise is a whole number of steps of σ·2^-30. */
export const noiseBits = 30;

/**
 * ρ such that releasing the last iterate is ρ-zCDP for a unit in the batch of step t (from 1) of size b: with Δ = 2L/b under replace-one,
 *   ρ = (√ρ₀ + √(T + 2)·2τ/(√2·ησ))²,   ρ₀ = Δ²/(2σ²·(T − t + 1)),   τ = slack + ησ·√d·2^−31,
 * so every step's shift carries the slack of the arithmetic that runs. ρ₀ is core's price of exact steps.
 * Source: Feldman, Mironov, Talwar & Thakurta 2018, Thm 22, with slack; derived in ./one-pass.proof.md.
 * Direction: upper.
 * Errors: parameter.invalid where convexity or η ≤ 2/β fails.
 * @example iterationRho({ steps: 100, sigma: 4, lipschitz: 1, smoothness: 1, stepSize: 0.5, dimension: 4, slack: 0 }, 1, 1) // => 0.00125
 */
export function iterationRho(pass: ComputedPass, step: number, batch: number): number {
  const { steps, sigma, lipschitz, smoothness, stepSize, dimension, slack } = pass;
  const exact = noisyIterationRho({
    ...{ steps, uses: [step], sigma, smoothness, learningRate: stepSize, convex: true },
    gradientSensitivity: (2 * lipschitz) / batch,
  });
  const off = slack / (stepSize * sigma) + Math.sqrt(dimension) * 2 ** -(noiseBits + 1);
  const root = Math.sqrt(exact) + Math.sqrt(2 * (steps + 2)) * off;
  return root * root * (1 + 2 ** -40);
}
