import { expect, it } from "vitest";
import { multiply, type Rational, ratio, toDouble } from "../numeric/rational.ts";
import { rhoFromGaussian } from "./gaussian-to-zcdp.ts";

/** The Rényi divergence of N(μ, 1) from N(0, 1), by Simpson's rule over 40 standard deviations around its peak at αμ. */
function renyiDivergence(mu: number, alpha: number): number {
  const logIntegrand = (x: number): number => (-alpha * (x - mu) ** 2 - (1 - alpha) * x * x) / 2;
  const steps = 4000;
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const weight = i === 0 || i === steps ? 1 : i % 2 ? 4 : 2;
    sum += weight * Math.exp(logIntegrand(alpha * mu - 20 + (40 * i) / steps));
  }
  return Math.log(((40 / steps / 3) * sum) / Math.sqrt(2 * Math.PI)) / (alpha - 1);
}

it("ρ = μ²/2 is the Rényi divergence over its order, at every order", () => {
  for (const mu of [ratio(1n, 10n), ratio(1n), ratio(3n, 2n)] satisfies Rational[]) {
    const rho = toDouble(rhoFromGaussian(multiply(mu, mu)), "up");
    for (const alpha of [1.5, 2, 5]) {
      expect(renyiDivergence(toDouble(mu, "up"), alpha) / alpha / rho).toBeCloseTo(1, 9);
    }
  }
});
