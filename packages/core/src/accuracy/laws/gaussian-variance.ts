/** The least σ from which the variance of an integer Gaussian equals its limit but for e^(−2π²σ²) < 1e-78. */
const limitFrom = 3;

/**
 * E[Z²] of an integer Gaussian: its limit (σ² of a discrete one, σ² + 1/12 of a rounded one) for σ ≥ 3, else the sum over its
 * masses, from the small end.
 * Source: Poisson summation.
 * Direction: exact, in doubles (relative 1e-12).
 */
export function gaussianVariance(sigma: number, limit: number, mass: (z: number) => number): number {
  if (sigma >= limitFrom) return limit;
  let total = 0;
  for (let z = Math.ceil(40 * sigma) + 1; z >= 1; z--) total += 2 * z * z * mass(z);
  return total;
}
