import { describe, expect, it } from "vitest";
import type { Noise } from "../mechanisms/noise.ts";
import { averageHalfWidths, stddevHalfWidths, varianceHalfWidths } from "./half-widths.ts";
import { noiseSumQuantile } from "./noise-sum-quantile.ts";

const laplace = (scale: number): Noise => ({ mechanism: "discrete-laplace@1", scale: String(scale) });
const average = { half: 3000n, sumNoise: laplace(6000), countNoise: laplace(2), confidence: 0.95 };
const variance = { ...average, offset: 4_500_000n, squaresNoise: laplace(9_000_000), population: true };

describe("expected half-widths", () => {
  it("fall with the group's size, from the whole domain", () => {
    for (const [curve, domain] of [
      [averageHalfWidths(average), 6000],
      [varianceHalfWidths(variance), 9e6],
      [stddevHalfWidths(variance), 3000],
    ] as const) {
      const sizes = [1, 10, 100, 1000, 100_000];
      const widths = sizes.map(curve);
      for (const [i, { typical, worst }] of widths.entries()) {
        expect(typical).toBeLessThanOrEqual(worst);
        expect(worst).toBeLessThanOrEqual(domain);
        if (i > 0) expect(typical).toBeLessThanOrEqual(widths[i - 1]!.typical);
        if (i > 0) expect(worst).toBeLessThanOrEqual(widths[i - 1]!.worst);
      }
      expect(widths[4]!.worst).toBeLessThan(0.02 * domain);
    }
  });
  it("are the noise over the count for large groups", () => {
    const { typical, worst } = averageHalfWidths(average)(1e6);
    const quantile = noiseSumQuantile([average.sumNoise, average.countNoise], 0.95);
    expect(typical / (quantile([1, 0]) / 1e6)).toBeCloseTo(1, 1);
    expect(worst / (quantile([1, 3000]) / 1e6)).toBeCloseTo(1, 1);
  });
});
