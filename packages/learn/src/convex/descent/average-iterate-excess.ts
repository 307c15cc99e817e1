/**
 * The expected excess of the average of T iterates of projected descent with noisy gradients of step size η:
 *   D²/(2ηT) + η(L² + dσ²)/2 + 2r·bias,
 * where D bounds the distance from the start to the best weights, σ is the deviation of the noise a coordinate, and the mean gradient is off by at most
 * `bias` before noise is on it.
 * Source: C Eq 19 with E|g + ξ|² ≤ L² + dσ² (Zinkevich 2003); derived in ./noisy-descent.proof.md.
 * Direction: upper.
 * @example averageIterateExcess({ distance: 1, radius: 1, lipschitz: 1, dimension: 4, sigma: 0.5, bias: 0, steps: 100, stepSize: 0.1 }) // => 0.15
 */
export function averageIterateExcess(run: {
  readonly distance: number;
  readonly radius: number;
  readonly lipschitz: number;
  readonly dimension: number;
  readonly sigma: number;
  readonly bias: number;
  readonly steps: number;
  readonly stepSize: number;
}): number {
  const { distance, radius, lipschitz, dimension, sigma, bias, steps, stepSize } = run;
  const secondMoment = lipschitz ** 2 + dimension * sigma ** 2;
  return distance ** 2 / (2 * stepSize * steps) + (stepSize * secondMoment) / 2 + 2 * radius * bias;
}
