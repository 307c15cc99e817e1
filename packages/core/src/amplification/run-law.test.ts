import { describe, expect, it } from "vitest";
import { bestOfRuns, type RunLaw } from "./run-law.ts";

const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const binomial = (shape: number, stop: number): RunLaw => ({ law: "negative-binomial", shape, stop });
const poisson = (mean: number): RunLaw => ({ law: "poisson", mean });

describe("the number of runs", () => {
  it("is taken up to the ends of what doubles hold, and not beyond", () => {
    for (const [shape, stop] of [
      [-1 + 1e-9, 0.5],
      [1000, 0.5],
      [1, 1e-9],
      [1, 1 - Number.EPSILON],
    ] as const)
      expect(() => bestOfRuns(binomial(shape, stop))).not.toThrow();
    for (const shape of [-1, -2, 1000.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => bestOfRuns(binomial(shape, 0.5)), `${shape}`).toThrow(invalid("shape"));
    }
    for (const stop of [0, 9e-10, 1, 1.5, Number.NaN]) {
      expect(() => bestOfRuns(binomial(1, stop)), `${stop}`).toThrow(invalid("stop"));
    }
    for (const mean of [Number.MIN_VALUE, 1, 1e5]) expect(() => bestOfRuns(poisson(mean))).not.toThrow();
    for (const mean of [0, -1, 100_001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => bestOfRuns(poisson(mean)), `${mean}`).toThrow(invalid("mean"));
    }
  });

  it("is named after all that makes it", () => {
    const laws = [binomial(1, 0.5), binomial(2, 0.5), binomial(1, 0.25), poisson(1), poisson(0.5)];
    expect(new Set(laws.map((law) => bestOfRuns(law).name)).size).toBe(laws.length);
    expect(bestOfRuns(binomial(1, 0.5)).name).toBe(bestOfRuns(binomial(1, 0.5)).name);
  });
});

describe("the best of them", () => {
  /** K geometric: P[K = k] = stop·(1 − stop)^{k−1}; logarithmic: ∝ (1 − stop)^k/k; Poisson. */
  const laws: readonly (readonly [RunLaw, (k: number) => number])[] = [
    [binomial(1, 0.25), (k) => (k === 0 ? 0 : 0.25 * 0.75 ** (k - 1))],
    [binomial(0, 0.25), (k) => (k === 0 ? 0 : 0.75 ** k / k / Math.log(4))],
    // Shape 2: (k + 1)·stop²·(1 − stop)^k, but for K = 0.
    [binomial(2, 0.25), (k) => (k === 0 ? 0 : ((k + 1) * 0.75 ** k) / (16 - 1))],
  ];
  it.each(laws)("of %j is that of its definition, summed over the number of runs", (law, probability) => {
    const best = bestOfRuns(law);
    const f = (x: number): number => {
      let total = 0;
      for (let k = 0; k < 400; k++) total += probability(k) * x ** k;
      return total;
    };
    const slope = (x: number): number => {
      let total = 0;
      for (let k = 1; k < 400; k++) total += k * probability(k) * x ** (k - 1);
      return total;
    };
    expect(f(1)).toBeCloseTo(1, 12);
    for (const above of [0, 0.25, 0.5, 0.75, 1]) {
      expect(best.factor(above) / slope(1 - above)).toBeCloseTo(1, 11);
      for (const mass of [0.125, 0.25]) {
        if (above + mass > 1) continue;
        expect(best.mass(above, mass) / (f(1 - above) - f(1 - above - mass))).toBeCloseTo(1, 11);
      }
    }
    expect(best.none).toBe(0);
  });

  it.each([binomial(1, 0.1), binomial(0, 0.01), binomial(-0.5, 0.1), binomial(3, 1e-6), poisson(40)])(
    "of %j keeps the digits of a mass too small to be told from none, and of shares that add up",
    (law) => {
      const best = bestOfRuns(law);
      for (const above of [0, 0.3, 0.9]) {
        expect(best.mass(above, 1e-25) / 1e-25 / best.factor(above)).toBeCloseTo(1, 11);
        expect(best.mass(above, 0)).toBe(0);
      }
      const parts = best.mass(0, 0.2) + best.mass(0.2, 0.5) + best.mass(0.7, 0.3);
      expect(parts + best.none).toBeCloseTo(1, 12);
    },
  );

  it("of no run at all is as likely as Poisson's law says", () => {
    expect(bestOfRuns(poisson(3)).none).toBeCloseTo(Math.exp(-3), 16);
    expect(bestOfRuns(poisson(3)).factor(0)).toBe(3);
    expect(bestOfRuns(poisson(3)).factor(1)).toBeCloseTo(3 * Math.exp(-3), 15);
  });

  it("loses digits with the shape and the mean, and says so", () => {
    expect(bestOfRuns(binomial(1000, 0.5)).slack).toBeGreaterThan(1e-8);
    expect(bestOfRuns(binomial(1, 0.5)).slack).toBeLessThan(1e-9);
    expect(bestOfRuns(binomial(-0.5, 0.5)).slack).toBeGreaterThanOrEqual(1e-10);
    expect(bestOfRuns(poisson(1e5)).slack).toBeGreaterThan(1e-6);
    expect(bestOfRuns(poisson(1)).slack).toBeLessThan(1e-9);
  });
});
