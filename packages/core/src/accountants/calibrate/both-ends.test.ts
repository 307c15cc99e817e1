import { describe, expect, it } from "vitest";
import { type Calibration, calibrateWith, smallestGaussianSigma } from "./calibrate-with.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const digits = (x: number): number => Number(x.toPrecision(11));
const [inf, nan, tiny, eps] = [Number.POSITIVE_INFINITY, Number.NaN, Number.MIN_VALUE, 2 ** -52];

describe("calibration", () => {
  it("gives the least σ, in proportion to the sensitivity", () => {
    expect(digits(smallestGaussianSigma({ epsilon: 1, delta: 1e-5 }))).toBe(3.7306316348);
    expect(digits(smallestGaussianSigma({ epsilon: 1, delta: 1e-5, sensitivity: 3 }))).toBe(11.191894904);
  });

  const exactly = (epsilon: number): never =>
    ({ epsilon: () => ({ lower: epsilon, upper: epsilon, provenance: {} }) }) as never;
  /** An account in which noise x costs 4/x, and a rate or a number x costs x. */
  const { smallestNoise, largestSampleRate, largestEpsilon, largestSteps } = calibrateWith((event) =>
    exactly(Number((event as unknown as { cost: number }).cost)),
  );
  const falls = { epsilon: 1, delta: 0, eventAt: (x: number) => ({ cost: 4 / x }) as never };
  const grows = { ...falls, eventAt: (x: number) => ({ cost: x }) as never };
  const near = ({ value, epsilon }: Calibration<number>): readonly number[] => [
    Number(value.toPrecision(5)),
    Number(epsilon.upper.toPrecision(5)),
  ];

  it("finds where the cost meets what is asked, and never beyond", () => {
    expect(near(smallestNoise(falls))).toEqual([4, 1]);
    expect(near(largestEpsilon(grows))).toEqual([1, 1]);
    expect(near(largestSampleRate({ ...grows, epsilon: 0.25 }))).toEqual([0.25, 0.25]);
    for (const found of [smallestNoise(falls), largestEpsilon(grows)])
      expect(found.epsilon.upper).toBeLessThanOrEqual(1);
  });

  it("gives the largest number of steps exactly, and all of a rate where that is within reach", () => {
    const steps = (epsilon: number, each: number): bigint =>
      largestSteps({ ...falls, epsilon, eventAt: (n) => ({ cost: Number(n) * each }) as never }).value;
    expect([steps(10, 3), steps(9, 3), steps(1, 1), steps(1e6, 1)]).toEqual([3n, 3n, 1n, 1_000_000n]);
    expect(() => steps(1, 1.001)).toThrow(invalid);
    expect(largestSampleRate({ ...grows, epsilon: 2 }).value).toBe(1);
  });

  it("takes both ends of what it is asked, and nothing beyond", () => {
    for (const good of [
      { delta: 1 - eps },
      { tolerance: 1e-12 },
      { tolerance: 0.1 },
      { epsilon: 1e-3 },
      { start: 1e-3 },
    ])
      expect(() => smallestNoise({ ...falls, ...good }), JSON.stringify(good)).not.toThrow();
    for (const bad of [
      ...[0, -1, nan, inf].map((epsilon) => ({ epsilon })),
      ...[-tiny, 1, nan].map((delta) => ({ delta })),
      ...[9e-13, 0.11, 0, nan].map((tolerance) => ({ tolerance })),
      ...[0, -1, nan, inf].map((start) => ({ start })),
    ])
      expect(() => smallestNoise({ ...falls, ...bad }), JSON.stringify(bad)).toThrow(invalid);
    for (const sensitivity of [0, -1, nan, inf])
      expect(() => smallestGaussianSigma({ epsilon: 1, delta: 1e-5, sensitivity })).toThrow(invalid);
  });
});
