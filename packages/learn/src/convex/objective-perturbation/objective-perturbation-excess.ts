/**
 * The expected excess of the mean loss, against the best weights of a ball, of the minimum of Σ f(w) + Λ|w|²/2 + ⟨b, w⟩ and noise on it:
 *   Λr²/(2n) + dσ²/(Λn) + L·(accuracy + √d·σ₂).
 * Source: Chaudhuri, Monteleoni & Sarwate 2011; derived in ./objective-perturbation.proof.md.
 * Direction: upper.
 * @example objectivePerturbationExcess({ convexity: 10, radius: 1, units: 100, dimension: 4, sigma: 5, lipschitz: 1, accuracy: 0, sigmaAfter: 0 }) // => 0.15
 */
export function objectivePerturbationExcess(run: {
  readonly convexity: number;
  readonly radius: number;
  readonly units: number;
  readonly dimension: number;
  readonly sigma: number;
  readonly lipschitz: number;
  readonly accuracy: number;
  readonly sigmaAfter: number;
}): number {
  const { convexity, radius, units, dimension, sigma, lipschitz, accuracy, sigmaAfter } = run;
  const objective = (convexity * radius ** 2) / 2 + (dimension * sigma ** 2) / convexity;
  return objective / units + lipschitz * (accuracy + Math.sqrt(dimension) * sigmaAfter);
}
