import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "./noise-laws.ts";
import { noiseQuantile } from "./noise-quantile.ts";
import { noiseSumQuantile } from "./noise-sum-quantile.ts";

const laplace = (scale: number): Noise => ({ mechanism: "discrete-laplace@1", scale: String(scale) });
const rounded = (sigma: number): Noise => ({ mechanism: "rounded-gaussian@1", sigma: String(sigma) });
const discrete = (sigmaSquared: number): Noise => ({
  mechanism: "discrete-gaussian@1",
  sigmaSquared: String(sigmaSquared),
});

/** P[|a·X + b·Y| > x], added up over the masses. */
function exactTail(a: number, first: Noise, b: number, second: Noise, x: number): number {
  const [p, r] = [noiseLaw(first), noiseLaw(second)];
  const [m, n] = [p, r].map((law) => Math.ceil(law.scale * (law.family === "laplace" ? 25 : 7)) + 1) as [
    number,
    number,
  ];
  const masses = Array.from({ length: n + 1 }, (_, j) => r.mass(j));
  let total = 0;
  for (let i = -m; i <= m; i++) {
    let inner = 0;
    for (let j = -n; j <= n; j++) if (Math.abs(a * i + b * j) > x) inner += masses[Math.abs(j)]!;
    total += p.mass(Math.abs(i)) * inner;
  }
  return total;
}

const anyNoise = fc.oneof(
  fc.double({ min: 0.4, max: 9, noNaN: true }).map(laplace),
  fc.double({ min: 0.4, max: 12, noNaN: true }).map(rounded),
  fc.double({ min: 0.2, max: 150, noNaN: true }).map(discrete),
);

describe("noiseSumQuantile", () => {
  it("covers, and by no more than the rounding it allows for", () => {
    fc.assert(
      fc.property(
        anyNoise,
        anyNoise,
        fc.double({ min: 0.2, max: 20, noNaN: true }),
        fc.constantFrom(0.8, 0.95, 0.99),
        (first, second, weight, confidence) => {
          const x = noiseSumQuantile([first, second], confidence)([1, -weight]);
          const tail = exactTail(1, first, weight, second, x);
          expect(tail).toBeLessThanOrEqual(1 - confidence);
          const coupling = noiseLaw(first).coupling + weight * noiseLaw(second).coupling;
          // Up to one spacing is lost to the lattice itself, and twice the coupling to the continuous bound.
          const inner = (x - 2 * coupling - 1 - weight) * 0.97;
          if (inner > 0) expect(exactTail(1, first, weight, second, inner)).toBeGreaterThan(1 - confidence);
        },
      ),
      { numRuns: 150, seed: 7, endOnFailure: true },
    );
  });
  it("adds normal noise in variance", () => {
    const x = noiseSumQuantile([rounded(3e6), rounded(4e6)], 0.95)([1, 1]);
    expect(x / (5e6 * 1.959963984540054)).toBeCloseTo(1, 4);
    const sum = noiseSumQuantile([rounded(30000), discrete(1600), rounded(4)], 0.95)([1, 1000, 0]);
    expect(sum / (50000 * 1.959963984540054)).toBeGreaterThan(1);
    expect(sum / (50000 * 1.959963984540054)).toBeLessThan(1.008);
  });
  it("adds Laplace noise by its exact law", () => {
    // P[|L + L′| > x] = e^(−x)(1 + x/2) is 0.05 at x = 3.9940…
    const x = noiseSumQuantile([laplace(1e6), laplace(1e6)], 0.95)([1, 1]) / 1e6;
    expect(Math.exp(-x) * (1 + x / 2)).toBeLessThan(0.05);
    expect(Math.exp(-x) * (1 + x / 2)).toBeGreaterThan(0.05 * 0.98);
  });
  it("is the noise's own quantile when one noise is left", () => {
    const quantile = noiseSumQuantile([laplace(10), rounded(3), { mechanism: "constant@1" }], 0.95);
    expect(quantile([2, 0, 5])).toBeCloseTo(2 * Number(noiseQuantile(laplace(10), 0.95)), 9);
    expect(quantile([0, -3, 5])).toBeCloseTo(3 * Number(noiseQuantile(rounded(3), 0.95)), 9);
    expect(quantile([0, 0, 1e9])).toBe(0);
  });
  it("increases with every weight", () => {
    const weight = fc.double({ min: 0, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        anyNoise,
        anyNoise,
        anyNoise,
        fc.tuple(weight, weight),
        fc.tuple(weight, weight),
        (a, b, c, w, more) => {
          const quantile = noiseSumQuantile([a, b, c], 0.95);
          const x = quantile([1, w[0], w[1]]);
          expect(quantile([1, w[0] + more[0], w[1] + more[1]])).toBeGreaterThanOrEqual(x * (1 - 2e-5));
        },
      ),
      { numRuns: 100, seed: 3, endOnFailure: true },
    );
  });
});
