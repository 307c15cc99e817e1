/** One phase: a pass over units of its own, and the noise on its average. */
export interface Phase {
  readonly units: number;
  readonly stepSize: number;
  /** The deviation of the noise on each weight, rounding included. */
  readonly sigma: number;
  /** How far a computed step lies from the exact one. */
  readonly slack: number;
}

/**
 * The expected excess population risk of phased one-pass descent: with w̄₀ the best weights, phase i starts at distance at most √d·σ_{i−1} from the
 * average w̄_{i−1} before it (the first at D), and
 *   Σᵢ [E|w_{i−1} − w̄_{i−1}|²/(2ηᵢnᵢ) + ηᵢL²/2 + (4rτᵢ + τᵢ²)/(2ηᵢ)] + L·√d·σ_k.
 * Source: Feldman, Koren & Talwar 2020 (arXiv 2005.04763) (C §3), its sum computed and not simplified; derived in ./localization.proof.md.
 * Direction: upper.
 * @example localizationExcess([{ units: 100, stepSize: 0.1, sigma: 0.01, slack: 0 }], { lipschitz: 1, radius: 1, dimension: 4 }) // => 0.12
 */
export function localizationExcess(
  phases: readonly Phase[],
  ball: { readonly lipschitz: number; readonly radius: number; readonly dimension: number },
): number {
  const { lipschitz, radius, dimension } = ball;
  const spread = (sigma: number): number => Math.min(2 * radius, Math.sqrt(dimension) * sigma);
  let distance = radius;
  let total = 0;
  for (const { units, stepSize, sigma, slack } of phases) {
    total += distance ** 2 / (2 * stepSize * units) + (stepSize * lipschitz ** 2) / 2;
    total += (4 * radius * slack + slack ** 2) / (2 * stepSize);
    distance = spread(sigma);
  }
  return total + lipschitz * distance;
}
