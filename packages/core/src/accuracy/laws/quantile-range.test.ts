import fc from "fast-check";
import { expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseQuantile, noiseQuantileRange } from "./noise-quantile.ts";

const noise: fc.Arbitrary<Noise> = fc
  .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: -4, max: 16 }), fc.nat(2))
  .map(([digits, power, kind]) => {
    const size = `${digits}e${power}`;
    if (kind === 0) return { mechanism: "discrete-laplace@1", scale: size };
    if (kind === 1) return { mechanism: "rounded-gaussian@1", sigma: size };
    return { mechanism: "discrete-gaussian@1", sigmaSquared: size };
  });

it("holds the exact quantile, and little else", () => {
  fc.assert(
    fc.property(noise, fc.constantFrom(0.001, 0.1, 0.5, 0.68, 0.683, 0.95, 0.999999), (each, confidence) => {
      const { least, most } = noiseQuantileRange(each, confidence);
      const exact = Number(noiseQuantile(each, confidence));
      expect(least).toBeLessThanOrEqual(exact);
      expect(most).toBeGreaterThanOrEqual(exact);
      expect(most - least).toBeLessThanOrEqual(2 + exact * 1e-4);
    }),
    { seed: 7, numRuns: 600 },
  );
});

it("is one integer almost everywhere, and two beside a step of the quantile", () => {
  const laplace = (scale: string): Noise => ({ mechanism: "discrete-laplace@1", scale });
  expect(noiseQuantileRange(laplace("10"), 0.95)).toEqual({ least: 30, most: 30 });
  // P[|Z| ≤ 0] = tanh(1/2s) is the double nearest to one half here: no double tells whether it is less.
  expect(noiseQuantileRange(laplace("0.910239226626837394"), 0.5)).toEqual({ least: 0, most: 1 });
  expect(noiseQuantileRange({ mechanism: "constant@1" }, 0.95)).toEqual({ least: 0, most: 0 });
});

it("refuses what is no confidence", () => {
  expect(() => noiseQuantileRange({ mechanism: "constant@1" }, 1)).toThrow(/confidence/);
});
