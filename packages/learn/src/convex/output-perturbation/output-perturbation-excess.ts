/**
 * The expected excess of the mean loss after a ridge, a solver that stops at a distance, and noise on the weights:
 *   λr²/2 + L·(accuracy + √d·σ).
 * Source: Chaudhuri, Monteleoni & Sarwate 2011; derived in ./output-perturbation.proof.md.
 * Direction: upper.
 * @example outputPerturbationExcess({ ridge: 0.1, radius: 1, lipschitz: 1, dimension: 4, sigma: 0.05, accuracy: 0 }) // => 0.15
 */
export function outputPerturbationExcess(run: {
  readonly ridge: number;
  readonly radius: number;
  readonly lipschitz: number;
  readonly dimension: number;
  readonly sigma: number;
  readonly accuracy: number;
}): number {
  const { ridge, radius, lipschitz, dimension, sigma, accuracy } = run;
  return (ridge * radius ** 2) / 2 + lipschitz * (accuracy + Math.sqrt(dimension) * sigma);
}
