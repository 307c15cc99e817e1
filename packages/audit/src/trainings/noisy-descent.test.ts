import { type BitSource, ratio } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { noisyDescent } from "./noisy-descent.ts";

/** Noise so small beside the clipping norm that it rounds to nothing. */
const quiet = ratio(1n, 1_000_000n);
const descend = (
  change: Partial<Parameters<typeof noisyDescent>[0]>,
  included: readonly boolean[],
  bits: BitSource,
) => noisyDescent({ steps: 1, rate: one, sigma: quiet, pace: 0.5, ...change })(included, bits);

describe("descent without noise", () => {
  test("goes by its pace from 0 toward the label 1, for those that are in", () => {
    const coins = () => new SeededSource(1);
    expect(descend({}, [true, false, true], coins())).toEqual([0.5, 0, 0.5]);
    // The gradient is what is left to 1: a half, then a quarter.
    expect(descend({ steps: 3 }, [true, false], coins())).toEqual([0.875, 0]);
    expect(descend({ steps: 0 }, [true], coins())).toEqual([0]);
  });
  test("clips each gradient to the norm, from either side", () => {
    // At pace 4 it goes to 4, from where the gradient is −3, clipped to −1; so back to 0.
    const path = [1, 2, 3].map((steps) => descend({ steps, pace: 4 }, [true], new SeededSource(1))[0]);
    expect(path).toEqual([4, 0, 4]);
  });
  test("rounds gradients to 2^−10 of the norm", () => {
    const [weight] = descend({ steps: 2, pace: 0.3 }, [true], new SeededSource(1));
    // 0.7 of 1024 is 716.8, which is 717.
    expect(weight).toBeCloseTo(0.3 + (0.3 * 717) / 1024, 12);
  });
});

test("an example is taken where its coin is below the rate, each by its own", () => {
  const scripted = (words: readonly number[]): BitSource => {
    const left = [...words];
    return { word: () => left.shift() ?? 0 };
  };
  const spread = descend({ rate: ratio(1n, 4n) }, Array<boolean>(4_000).fill(true), new SeededSource(2));
  // A quarter of 4,000; ten standard deviations are 274.
  expect(Math.abs(spread.filter((weight) => weight === 0.5).length - 1_000)).toBeLessThan(274);
  expect(spread.every((weight) => weight === 0.5 || weight === 0)).toBe(true);
  expect(descend({ rate: ratio(0n) }, [true, true], scripted([]))).toEqual([0, 0]);
});

test("noise falls on every weight in every step, whoever is in, in clipping norms", () => {
  const weights = (steps: number, isIn: boolean): number[] => [
    ...descend(
      { steps, sigma: ratio(3n), pace: 0.01 },
      Array<boolean>(4_000).fill(isIn),
      new SeededSource(3),
    ),
  ];
  const deviation = (xs: readonly number[]): number => {
    const mean = xs.reduce((a, b) => a + b, 0) / xs.length;
    return Math.sqrt(xs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / xs.length);
  };
  // Standard errors of 1.1 %: ten of them.
  for (const [steps, isIn] of [
    [1, false],
    [4, false],
    [4, true],
  ] as const)
    expect(Math.abs(deviation(weights(steps, isIn)) / (0.03 * Math.sqrt(steps)) - 1)).toBeLessThan(0.11);
});
