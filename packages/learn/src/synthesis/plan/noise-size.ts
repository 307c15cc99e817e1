import { type Rational, toDouble } from "@lethe/core";

/** The mean of |Z| of Gaussian noise of this σ: √(2/π)·σ. */
export function meanAbsoluteNoise(sigma: Rational): number {
  return Math.sqrt(2 / Math.PI) * toDouble(sigma, "up");
}
