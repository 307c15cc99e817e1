import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { noiseQuantile } from "../laws/noise-quantile.ts";
import { laplace, rounded } from "../testing/simulated-noise.ts";
import { roundedIntervals } from "./rounded-interval.ts";

const nearest = (x: number): number => Math.floor(x + 0.5);

/** The exact chance that the interval of (A + B)/whole, to the nearest integer, holds the true number; A + B = number · whole. */
function coverage(told: Noise, drawn: Noise, whole: number): number {
  const interval = roundedIntervals({
    noises: [told, told],
    weights: [1 / whole, 1 / whole],
    confidence: 0.95,
  });
  const law = noiseLaw(drawn);
  const most = Math.ceil(law.scale * 14);
  let covered = 0;
  for (let a = -most; a <= most; a++)
    for (let b = -most; b <= most; b++) {
      const { lower, upper } = interval(BigInt(nearest(500 + (a + b) / whole)));
      if (lower <= 500n && 500n <= upper) covered += law.mass(Math.abs(a)) * law.mass(Math.abs(b));
    }
  return covered;
}

describe("the interval of a number that is rounded to an integer", () => {
  it.each([
    [laplace(6), 3],
    // Without the half that rounding may add, the reach of these two would be one less.
    [laplace(2), 3],
    [laplace(4), 3],
    [laplace(12), 10],
    [laplace(3), 40],
    [rounded(9), 4],
  ] as const)("covers exactly: %o over %i", (noise, whole) => {
    expect(coverage(noise, noise, whole)).toBeGreaterThanOrEqual(0.95);
  });

  it("would fail were the noise 20 % larger than told", () => {
    expect(coverage(laplace(20), laplace(24), 1)).toBeLessThan(0.94);
  });

  it("of one total by itself is the total's own, and of a thousandth of little noise a point", () => {
    const one = roundedIntervals({ noises: [laplace(4)], weights: [1], confidence: 0.95 })(7n);
    const q = noiseQuantile(laplace(4), 0.95);
    expect(one).toEqual({ value: 7n, lower: 7n - q, upper: 7n + q });
    const point = roundedIntervals({ noises: [laplace(4)], weights: [0.001], confidence: 0.95 })(7n);
    expect(point).toEqual({ value: 7n, lower: 7n, upper: 7n });
  });

  it("is cut to what is possible, and of bad luck as wide as the noise from there", () => {
    const of = roundedIntervals({
      ...{ noises: [laplace(40)], weights: [0.5], confidence: 0.95, atLeast: 0n },
    });
    const { upper: q } = of(0n);
    expect(of(3n)).toEqual({ value: 3n, lower: 0n, upper: 3n + q });
    expect(of(-1000n)).toEqual({ value: -1000n, lower: 0n, upper: q });
    const below = roundedIntervals({ noises: [laplace(40)], weights: [0.5], confidence: 0.95, atMost: 0n });
    expect(below(1000n)).toEqual({ value: 1000n, lower: -q, upper: 0n });
  });
});
