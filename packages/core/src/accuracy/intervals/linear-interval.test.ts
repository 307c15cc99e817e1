import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseQuantile } from "../laws/noise-quantile.ts";
import { laplace, rounded } from "../testing/simulated-noise.ts";
import { coarseFirst, type LinearSetting, linearIntervals } from "./linear-interval.ts";
import { ratioIntervals } from "./ratio-interval.ts";

const still: Noise = { mechanism: "constant@1" };
const invalid = expect.objectContaining({ code: "parameter.invalid" });
const noise = laplace(4);
const q = Number(noiseQuantile(noise, 0.95));

describe("the interval of a sum of which one total is noisy", () => {
  const setting = (over: Partial<LinearSetting> = {}): LinearSetting => ({
    ...{ noises: [noise, still], weights: [3, 2], constant: 7, confidence: 0.95 },
    ...over,
  });
  it("is the sum ± weight times quantile, a whole number of whole weights", () => {
    expect(linearIntervals(setting())([100n, -5n])).toEqual({
      value: 297,
      lower: 297 - 3 * q,
      upper: 297 + 3 * q,
    });
    expect(linearIntervals(setting({ weights: [-3, 2] }))([100n, -5n])).toEqual({
      value: -303,
      lower: -303 - 3 * q,
      upper: -303 + 3 * q,
    });
    const half = linearIntervals(setting({ weights: [0.5, 2] }))([100n, -5n]);
    expect(half.value).toBe(47);
    expect(half.lower).toBeLessThanOrEqual(47 - q / 2);
    expect(half.upper).toBeGreaterThanOrEqual(47 + q / 2);
    expect(half.upper - half.lower).toBeLessThan(q * (1 + 1e-9));
  });
  it("is wider by what doubles lose where its totals are beyond 2^52", () => {
    const large = linearIntervals(setting())([1n << 60n, 0n]);
    expect(large.upper - large.lower).toBeGreaterThan(6 * q + 2 ** 10);
    expect(large.upper - large.lower).toBeLessThan(6 * q + 2 ** 15);
  });
  it("is cut to what is possible, and of bad luck as wide as the noise from there", () => {
    const bounded = linearIntervals(setting({ atLeast: 0, atMost: 300 }));
    expect(bounded([100n, -5n])).toEqual({ value: 297, lower: 297 - 3 * q, upper: 300 });
    expect(bounded([0n, -3n])).toEqual({ value: 1, lower: 0, upper: 1 + 3 * q });
    expect(bounded([0n, -5n])).toEqual({ value: -3, lower: 0, upper: 3 * q - 3 });
    expect(bounded([-100n, 0n])).toEqual({ value: -293, lower: 0, upper: 3 * q });
    expect(bounded([200n, 0n])).toEqual({ value: 607, lower: 300 - 3 * q, upper: 300 });
  });
  it("is of one to four noises, with a finite weight each", () => {
    const many = (n: number) => ({ noises: Array(n).fill(still), weights: Array(n).fill(1) });
    for (const n of [1, 4]) expect(() => linearIntervals(setting(many(n)))).not.toThrow();
    for (const n of [0, 5]) expect(() => linearIntervals(setting(many(n)))).toThrow(invalid);
    for (const weights of [[1], [1, 2, 3], [1, Number.NaN], [Number.POSITIVE_INFINITY, 1]])
      expect(() => linearIntervals(setting({ weights }))).toThrow(invalid);
  });
});

it("the noise of the smallest scale goes last, and each keeps its place in the order", () => {
  const noises = [laplace(2), rounded(9), still, laplace(5)];
  expect(coarseFirst(noises)).toEqual({
    noises: [noises[1], noises[3], noises[0], noises[2]],
    order: [1, 3, 0, 2],
  });
});

describe("the interval of a ratio of which one total is noisy", () => {
  const ratioOf = (noises: readonly Noise[], above = 0, below = 0) =>
    ratioIntervals({
      noises,
      numerator: { constant: above, weights: [2, 0] },
      denominator: { constant: below, weights: [0, 5] },
      confidence: 0.95,
    });
  it("is the ratio ± the numerator's quantile over the denominator, of either sign", () => {
    for (const [below, total] of [
      [0, 40n],
      [100, 20n],
      [0, -40n],
    ] as const) {
      const d = below + 5 * Number(total);
      for (const n of [300n, 0n, -300n]) {
        const { lower, upper } = ratioOf([noise, still], 11, below)([n, total])!;
        const exact = (11 + 2 * Number(n)) / d;
        const reach = (2 * q) / Math.abs(d);
        for (const found of [exact - lower, upper - exact]) {
          expect(found).toBeGreaterThanOrEqual(reach * (1 - 1e-9));
          expect(found).toBeLessThan(reach * 1.001);
        }
      }
    }
  });
  it("is from N/(D + q) to N/(D − q) where the denominator is noisy", () => {
    for (const n of [300n, -300n]) {
      const { lower, upper } = ratioOf([still, noise])([n, 40n])!;
      const ends = [600 / (200 + 5 * q), 600 / (200 - 5 * q)]
        .map((x) => (n > 0n ? x : -x))
        .sort((a, b) => a - b);
      expect(lower).toBeLessThanOrEqual(ends[0]! + 1e-9);
      expect(lower).toBeGreaterThan(ends[0]! - 0.02 * Math.abs(ends[0]!));
      expect(upper).toBeGreaterThanOrEqual(ends[1]! - 1e-9);
      expect(upper).toBeLessThan(ends[1]! + 0.02 * Math.abs(ends[1]!));
    }
  });
  it("is nothing up to the denominator's own quantile, and something beyond", () => {
    const ratio = ratioOf([noise, noise]);
    for (const total of [0, q, -q]) expect(ratio([10n, BigInt(total)])).toBeNull();
    for (const total of [q + 1, -q - 1]) expect(ratio([10n, BigInt(total)])).not.toBeNull();
  });
});
