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

  it("asks the account as it is told, coarsely first, and quotes the interval that certified the answer", () => {
    const asked: { readonly accuracy?: number }[] = [];
    const told = calibrateWith((event, options) => {
      asked.push(options as never);
      return exactly(Number((event as unknown as { cost: number }).cost));
    });
    told.smallestNoise({ ...falls, adjacency: "replace-one", representations: ["pld"] });
    for (const options of asked)
      expect(options).toMatchObject({ adjacency: "replace-one", representations: ["pld"] });
    // A share of ε = 1 unless stated: 2e-3 to find the place, 5e-5 to certify, 2e-5 for steps.
    expect([asked[0]!.accuracy, asked.at(-1)!.accuracy]).toEqual([2e-3, 5e-5]);
    asked.length = 0;
    told.smallestNoise({ ...falls, accuracy: 1e-3 });
    expect([asked[0]!.accuracy, asked.at(-1)!.accuracy]).toEqual([2e-3, 1e-3]);
    expect(asked[0]).not.toHaveProperty("adjacency");
    expect(asked[0]).not.toHaveProperty("representations");
    asked.length = 0;
    told.smallestNoise({ ...falls, accuracy: 0.1 });
    expect([asked[0]!.accuracy, asked.at(-1)!.accuracy]).toEqual([0.1, 0.1]);
    asked.length = 0;
    told.largestSteps({ ...falls, eventAt: (n) => ({ cost: Number(n) / 7 }) as never });
    expect(asked.at(-1)!.accuracy).toBe(2e-5);
    asked.length = 0;
    // An accuracy is from 1e-12 to 1, whatever the ε.
    told.largestEpsilon({ ...grows, epsilon: 1e5 });
    expect([asked[0]!.accuracy, asked.at(-1)!.accuracy]).toEqual([1, 1]);
    const found = smallestNoise(falls);
    expect(found.epsilon.upper).toBe(4 / found.value);
  });

  it("says what to do where no value is within reach", () => {
    const never = { ...falls, epsilon: 0.5, eventAt: () => ({ cost: 3 }) as never };
    for (const search of [smallestNoise, largestSampleRate, largestEpsilon]) {
      expect(() => search(never)).toThrow(
        expect.objectContaining({
          code: "parameter.invalid",
          message: "no value in the range of the search certifies ε ≤ 0.5 at δ = 0",
          fix: "allow a larger ε or δ, or take out parts whose loss does not depend on what is searched",
          fields: { name: "epsilon", domain: "reachable" },
        }),
      );
    }
    // All is within reach: the end of the range.
    const always = { ...falls, eventAt: () => ({ cost: 0.1 }) as never };
    expect(largestSampleRate(always).value).toBe(1);
    expect(smallestNoise(always).value).toBe(2 ** -40);
    expect(largestEpsilon(always).value).toBe(2 ** 40);
    expect(largestSteps(always).value).toBeGreaterThan(2n ** 53n - 64n);
    expect(largestSteps(always).value).toBeLessThanOrEqual(2n ** 53n);
  });
});
