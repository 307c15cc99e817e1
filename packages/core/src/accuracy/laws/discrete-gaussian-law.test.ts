import { describe, expect, it } from "vitest";
import { ratio } from "../../numeric/rational.ts";
import { discreteGaussianLaw } from "./discrete-gaussian-law.ts";

/** P[|Z| > q] by adding all masses, from the small end. */
function tail(variance: number, q: number): number {
  const mass = (z: number): number => Math.exp((-z * z) / (2 * variance));
  let [beyond, whole] = [0, 0];
  for (let z = Math.ceil(40 * Math.sqrt(variance)) + 2; z >= 1; z -= 1) {
    whole += 2 * mass(z);
    if (z > q) beyond += 2 * mass(z);
  }
  return beyond / (whole + 1);
}

describe("the law of discrete Gaussian noise", () => {
  it.each([
    ["1/4", ratio(1n, 4n)],
    ["1", ratio(1n)],
    ["100", ratio(100n)],
    ["10000", ratio(10_000n)],
  ])("σ² = %s: its tail is never below the sum, its quantile holds", (_, sigmaSquared) => {
    const variance = Number(sigmaSquared.num) / Number(sigmaSquared.den);
    const law = discreteGaussianLaw(sigmaSquared);
    for (const alpha of [ratio(1n, 2n), ratio(1n, 20n), ratio(1n, 1_000_000n)]) {
      const q = Number(law.quantile(alpha));
      const level = Number(alpha.num) / Number(alpha.den);
      expect(tail(variance, q)).toBeLessThanOrEqual(level);
      // Not much above it either: one step less, and one part in a hundred of σ, must not do.
      const less = Math.floor(q - 1 - Math.sqrt(variance) / 100);
      if (less >= 0) expect(tail(variance, less)).toBeGreaterThan(level);
      for (const z of [0, q, 2 * q])
        expect(law.beyond(z)).toBeGreaterThanOrEqual(tail(variance, z) * (1 - 1e-12));
    }
  });
});
