import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseSumQuantile } from "../laws/noise-sum-quantile.ts";
import {
  averageHalfWidths,
  covarianceHalfWidths,
  stddevHalfWidths,
  varianceHalfWidths,
} from "./half-widths.ts";

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
  it("are where the noise of the sum and of so many counts is used up: n·w = q(mean ± w)", () => {
    // At mean t the lower end t − w has n·w = q of the noise in sum − (t − w)·count; the quantile is taken a 256th of the range above.
    const quantile = noiseSumQuantile([average.sumNoise, average.countNoise], 0.95);
    const curve = averageHalfWidths(average);
    for (const rows of [100, 1000, 20_000]) {
      const { typical, worst } = curve(rows);
      expect(rows * typical).toBeGreaterThanOrEqual(quantile([1, typical]) * 0.999);
      expect(rows * typical).toBeLessThanOrEqual(quantile([1, typical + 3000 / 128]) * 1.001);
      expect(rows * worst).toBeGreaterThanOrEqual(quantile([1, 3000 - worst]) * 0.999);
      expect(rows * worst).toBeLessThanOrEqual(quantile([1, 3000]) * 1.001 + 3000);
    }
  });
  it("of a variance are typical for even values, a third of half² each, and at worst far larger", () => {
    // For many rows ±w with n·w near the noise of squares, less what the mean's square takes away: at mean 0 nothing.
    const rows = 1e7;
    const squares = noiseSumQuantile([variance.squaresNoise, variance.countNoise], 0.95);
    const { typical, worst } = varianceHalfWidths(variance)(rows);
    // Values less offset: 3000²/3 − 4,500,000 = −1,500,000 is what a wrong count moves the sum of squares by.
    expect((rows * typical) / squares([1, 1_500_000])).toBeGreaterThan(0.95);
    expect((rows * typical) / squares([1, 1_500_000])).toBeLessThan(1.5);
    expect(worst).toBeGreaterThan(typical);
    const deviation = stddevHalfWidths(variance)(rows);
    // √(v + w) − √v at v = half²/3.
    expect(deviation.typical / (typical / (2 * Math.sqrt(3e6)))).toBeCloseTo(1, 1);
  });
  it("of a covariance are typical without correlation, and no narrower at worst", () => {
    const setting = {
      half: 30n,
      otherHalf: 50n,
      productsNoise: laplace(3000),
      sumNoise: laplace(60),
      otherSumNoise: laplace(100),
      countNoise: laplace(2),
      population: true,
      confidence: 0.95,
    };
    const curve = covarianceHalfWidths(setting);
    const rows = 1e6;
    const { typical, worst } = curve(rows);
    const products = noiseSumQuantile([setting.productsNoise], 0.95)([1]);
    expect((rows * typical) / products).toBeGreaterThan(0.99);
    expect((rows * typical) / products).toBeLessThan(1.4);
    expect(worst).toBeGreaterThan(typical);
    expect(curve(1).worst).toBeLessThanOrEqual(2 * 30 * 50);
  });
});
