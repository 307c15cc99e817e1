import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { ratio } from "../../numeric/rational.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { quantileOfAdded } from "../laws/noise-sum-law.ts";
import { type AverageSetting, averageInterval, averageIntervals, averageSets } from "./average-interval.ts";

const laplace = (scale: number): Noise => ({ mechanism: "discrete-laplace@1", scale: String(scale) });
const rounded = (sigma: number): Noise => ({ mechanism: "rounded-gaussian@1", sigma: String(sigma) });
const discrete = (sigmaSquared: number): Noise => ({
  mechanism: "discrete-gaussian@1",
  sigmaSquared: String(sigmaSquared),
});

function reach(noise: Noise): number {
  const law = noiseLaw(noise);
  return Math.ceil(law.scale * (law.family === "laplace" ? 12 : 5)) + 1;
}

/** The exact chance that the interval holds S/C, over all draws of both noises (draws beyond `reach` count as misses). */
function coverage(setting: AverageSetting, drawn: AverageSetting, sum: number, count: number): number {
  const interval = averageIntervals(setting);
  const [sums, counts] = [noiseLaw(drawn.sumNoise as Noise), noiseLaw(drawn.countNoise as Noise)];
  const [m, n] = [reach(drawn.sumNoise as Noise), reach(drawn.countNoise as Noise)];
  const truth = sum / count;
  let covered = 0;
  for (let j = -n; j <= n; j++) {
    let inner = 0;
    for (let i = -m; i <= m; i++) {
      const { lower, upper } = interval({ sum: BigInt(sum + i), count: BigInt(count + j) });
      if (lower <= truth && truth <= upper) inner += sums.mass(Math.abs(i));
    }
    covered += inner * counts.mass(Math.abs(j));
  }
  return covered;
}

const settings: AverageSetting[] = [
  { half: 3n, sumNoise: laplace(4), countNoise: laplace(1.5), confidence: 0.95 },
  { half: 20n, sumNoise: laplace(20), countNoise: laplace(1), confidence: 0.9 },
  { half: 1n, sumNoise: laplace(0.6), countNoise: laplace(0.6), confidence: 0.95 },
  { half: 10n, sumNoise: rounded(15), countNoise: rounded(1.4), confidence: 0.95 },
  { half: 10n, sumNoise: discrete(225), countNoise: laplace(2), confidence: 0.8 },
  { half: 4n, sumNoise: laplace(10), countNoise: rounded(9), confidence: 0.95 },
];

describe("averageIntervals", () => {
  it.each(settings)("exact coverage at every group size: half $half, $confidence", (setting) => {
    for (const count of [1, 2, 7, 40]) {
      for (const share of [-1, -0.4, 0, 0.75, 1]) {
        const sum = Math.round(share * Number(setting.half) * count);
        expect(coverage(setting, setting, sum, count)).toBeGreaterThanOrEqual(setting.confidence);
      }
    }
  });
  it("would fail were the noise 15 % larger than told", () => {
    const setting: AverageSetting = {
      half: 20n,
      sumNoise: laplace(40),
      countNoise: laplace(2),
      confidence: 0.95,
    };
    const larger: AverageSetting = { ...setting, sumNoise: laplace(46), countNoise: laplace(2.3) };
    expect(coverage(setting, setting, 300, 60)).toBeLessThan(0.957);
    expect(coverage(setting, larger, 300, 60)).toBeLessThan(0.94);
  });
  it("keeps to the domain, holds its value, and grows with the confidence", () => {
    const anyInteger = fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n });
    fc.assert(
      fc.property(
        anyInteger,
        fc.bigInt({ min: -50n, max: 5000n }),
        fc.constantFrom(...settings),
        (sum, count, setting) => {
          const { value, lower, upper } = averageInterval({ ...setting, sum, count });
          const half = Number(setting.half);
          expect(-half <= lower && lower <= value && value <= upper && upper <= half).toBe(true);
          expect(upper - lower).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
    const widths = [0.5, 0.9, 0.95, 0.999].map((confidence) => {
      const { lower, upper } = averageInterval({ ...settings[1]!, confidence, sum: 100n, count: 50n });
      return upper - lower;
    });
    expect(widths).toEqual([...widths].sort((a, b) => a - b));
  });
  it("says nothing where the noise drowns the count", () => {
    for (const count of [-2n, 0n, 1n]) {
      expect(averageInterval({ ...settings[0]!, sum: 1n, count })).toMatchObject({ lower: -3, upper: 3 });
    }
  });
  it("is near Wald's interval for large groups", () => {
    const setting: AverageSetting = {
      half: 1n << 30n,
      sumNoise: rounded(2 ** 32),
      countNoise: rounded(4),
      confidence: 0.95,
    };
    const { value, lower, upper } = averageInterval({
      ...setting,
      sum: 10n ** 9n * 1_000_000n,
      count: 2_000_000n,
    });
    expect(value).toBe(5e8);
    const wald = (1.959964 * Math.hypot(2 ** 32, 4 * 5e8)) / 2e6;
    expect((upper - lower) / 2 / wald).toBeGreaterThan(1);
    expect((upper - lower) / 2 / wald).toBeLessThan(1.01);
  });
  it("is the middle where all values are one", () => {
    const constant: Noise = { mechanism: "constant@1" };
    expect(
      averageInterval({
        half: 0n,
        sumNoise: constant,
        countNoise: laplace(2),
        confidence: 0.95,
        sum: 0n,
        count: 5n,
      }),
    ).toEqual({ value: 0, lower: 0, upper: 0 });
  });
  it("refuses a half-range below 0", () => {
    expect(() => averageIntervals({ ...settings[0]!, half: -1n })).toThrow(/half/);
  });
});

describe("the bound on the noise of an average", () => {
  const alpha = ratio(1n, 20n);
  const noise = { sumNoise: rounded(15), countNoise: rounded(4) };
  const due = quantileOfAdded([noise.sumNoise, noise.countNoise], alpha);

  it("is never below the quantile at that average, nor above the one at the next 256th of the range", () => {
    const { radius } = averageSets({ half: 64n, ...noise }, alpha);
    for (const t of [0, 0.1, 0.25, 0.26, 1, 31.99, 63.8, 64]) {
      for (const signed of [t, -t]) {
        expect(radius(signed)).toBeGreaterThanOrEqual(due([1, t]));
        expect(radius(signed)).toBeLessThanOrEqual(due([1, Math.min(64, t + 0.25)]));
      }
    }
    expect(radius(64)).toBe(due([1, 64]));
  });

  it("is the sum's own quantile where the range is one point", () => {
    const { radius, accepted } = averageSets({ half: 0n, ...noise }, alpha);
    expect(radius(0)).toBe(due([1, 0]));
    expect(accepted(0, 9)).toEqual({ lo: -0, hi: 0 });
    // A sum that the noise cannot have made.
    expect(accepted(9999, 9)).toBeNull();
  });
});
