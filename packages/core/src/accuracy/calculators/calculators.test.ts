import { describe, expect, it } from "vitest";
import { gaussianDelta } from "../../conversions/gaussian/gaussian-profile.ts";
import { ndtr } from "../../numeric/special/ndtr.ts";
import { wholeAtLeast } from "./checks.ts";
import {
  gaussianMaxError,
  gaussianMaxErrorTextbook,
  gaussianMechanismMaxError,
  gaussianSigmaForMaxError,
  laplaceEpsilonForMaxError,
  laplaceMaxError,
  laplaceMaxErrorTextbook,
  marginalsError,
  marginalsSampleSize,
  marginalsSampleSizeRenyi,
  marginalsSampleSizeTextbook,
  meanError,
  meanSampleSize,
  meanSampleSizeTextbook,
} from "./index.ts";

const refused = expect.objectContaining({ code: "parameter.invalid" });

describe("mean of n values in [0, 1] (C Lemma 3)", () => {
  it("undoes itself, and is half of what is printed", () => {
    for (const epsilon of [0.01, 0.3, 1, 8]) {
      for (const error of [1e-5, 0.003, 0.01, 0.5]) {
        const records = meanSampleSize({ error, epsilon });
        expect(meanError({ records, epsilon })).toBeLessThanOrEqual(error * (1 + 1e-14));
        if (records > 1) expect(meanError({ records: records - 1, epsilon })).toBeGreaterThan(error);
        expect(meanSampleSizeTextbook({ error, epsilon }) / records).toBeGreaterThanOrEqual(1);
      }
    }
    expect(meanSampleSize({ error: 0.01, epsilon: 0.5 })).toBe(200);
    expect(meanSampleSizeTextbook({ error: 0.01, epsilon: 0.5 })).toBe(400);
  });
  it("is the mean of |Lap(1/(nε))|: 2·10^5 draws, within 1 %; false alarms below 1e-5, 10 % off always caught", () => {
    // |Lap(b)| is exponential: mean b, deviation b; the mean of 2·10^5 draws deviates by 0.22 %.
    let total = 0;
    const uniform = generator(11);
    for (let i = 0; i < 200_000; i++) total -= Math.log(1 - uniform());
    const measured = (total / 200_000) * (1 / (400 * 0.5));
    expect(Math.abs(measured / meanError({ records: 400, epsilon: 0.5 }) - 1)).toBeLessThan(0.0115);
  });
});

describe("one-way marginals (C Prop. 1, Eq 12)", () => {
  it("undo themselves, and the printed forms are never smaller", () => {
    for (const delta of [undefined, 1e-6, 0.01]) {
      for (const dimension of [1, 10, 400]) {
        for (const [error, epsilon] of [
          [0.01, 0.5],
          [0.2, 0.9],
        ] as const) {
          const budget = { dimension, epsilon, ...(delta === undefined ? {} : { delta }) };
          const records = marginalsSampleSize({ ...budget, error });
          expect(marginalsError({ ...budget, records })).toBeLessThanOrEqual(error * (1 + 1e-13));
          if (records > 1) expect(marginalsError({ ...budget, records: records - 1 })).toBeGreaterThan(error);
          expect(marginalsSampleSizeTextbook({ ...budget, error })).toBeGreaterThanOrEqual(records);
          if (delta !== undefined) {
            const renyi = marginalsSampleSizeRenyi({ dimension, epsilon, delta, error });
            expect(renyi).toBeGreaterThanOrEqual(records);
            expect(renyi).toBeLessThan(marginalsSampleSizeTextbook({ ...budget, error }));
          }
        }
      }
    }
    expect(marginalsSampleSize({ error: 0.01, dimension: 10, epsilon: 0.5 })).toBe(2000);
    expect(marginalsSampleSizeTextbook({ error: 0.01, dimension: 10, epsilon: 0.5 })).toBe(4000);
    expect(marginalsSampleSizeRenyi({ error: 0.01, dimension: 10, epsilon: 0.5, delta: 1e-6 })).toBe(9404);
  });
  it("the Gaussian one keeps its δ: Δ₂ = √d/n, σ from the error", () => {
    const [dimension, records, epsilon, delta] = [25, 5000, 0.5, 1e-6];
    const sigma = marginalsError({ dimension, records, epsilon, delta }) / Math.sqrt(2 / Math.PI);
    const mu = Math.sqrt(dimension) / records / sigma;
    expect(gaussianDelta(mu, epsilon).upper).toBeLessThanOrEqual(delta * (1 + 1e-9));
    expect(gaussianDelta(mu * 1.001, epsilon).lower).toBeGreaterThan(delta);
  });
  it("refuse what the documents' proofs do not cover", () => {
    expect(() => marginalsSampleSizeTextbook({ error: 0.1, dimension: 3, epsilon: 0.9, delta: 0.9 })).toThrow(
      /delta/,
    );
    expect(() => marginalsSampleSizeTextbook({ error: 0.1, dimension: 3, epsilon: 1 })).toThrow(refused);
    expect(() => marginalsSampleSizeRenyi({ error: 0.1, dimension: 3, epsilon: 1, delta: 0.5 })).toThrow(
      /epsilon/,
    );
  });
});

describe("the largest of d errors", () => {
  it("of Laplace noise (A Cor. 2.3): the exact tail, below the union bound, undone by ε", () => {
    for (const dimension of [1, 3, 100, 1e6]) {
      for (const failure of [1e-9, 0.05, 0.5]) {
        const request = { sensitivity: 2, dimension, failure };
        const t = laplaceMaxError({ ...request, epsilon: 0.4 });
        const chance = -Math.expm1(dimension * Math.log1p(-Math.exp((-t * 0.4) / 2)));
        expect(chance / failure).toBeCloseTo(1, 8);
        expect(chance).toBeLessThanOrEqual(failure * (1 + 1e-12));
        expect(laplaceMaxErrorTextbook({ ...request, epsilon: 0.4 })).toBeGreaterThanOrEqual(t * (1 - 1e-12));
        expect(laplaceEpsilonForMaxError({ ...request, error: t })).toBeCloseTo(0.4, 10);
      }
    }
    expect(laplaceMaxErrorTextbook({ sensitivity: 1, dimension: 10, failure: 0.05, epsilon: 1 })).toBeCloseTo(
      Math.log(200),
      12,
    );
  });
  it("of Gaussian noise (A Fact 2.8 as corrected): the exact tail, below the union bound, undone by σ", () => {
    for (const dimension of [1, 3, 100, 1e6]) {
      for (const failure of [1e-9, 0.05, 0.5]) {
        const t = gaussianMaxError({ sigma: 3, dimension, failure });
        const chance = -Math.expm1(dimension * Math.log1p(-2 * ndtr(-t / 3)));
        expect(chance / failure).toBeCloseTo(1, 8);
        expect(gaussianMaxErrorTextbook({ sigma: 3, dimension, failure })).toBeGreaterThanOrEqual(t);
        expect(gaussianSigmaForMaxError({ error: t, dimension, failure })).toBeCloseTo(3, 10);
      }
    }
    // The √ln(1/δ) that the document drops: halving δ's exponent must show.
    const at = (delta: number): number =>
      gaussianMechanismMaxError({ sensitivity: 1, epsilon: 1, delta, dimension: 1, failure: 0.05 });
    expect(at(1e-5)).toBeCloseTo(3.73063163482 * 1.959963984540054, 8);
    expect(at(1e-12) / at(1e-3)).toBeGreaterThan(2);
  });
  it("is exceeded as often as it says: 10^5 trials of 5 Laplace errors; false alarms below 1e-6, a scale 10 % off always caught", () => {
    const uniform = generator(23);
    const failure = 0.05;
    const t = laplaceMaxError({ sensitivity: 1, dimension: 5, failure, epsilon: 1 });
    const rate = (scale: number): number => {
      let over = 0;
      for (let i = 0; i < 100_000; i++) {
        let largest = 0;
        for (let j = 0; j < 5; j++) largest = Math.max(largest, -scale * Math.log(1 - uniform()));
        if (largest > t) over += 1;
      }
      return over / 100_000;
    };
    // Deviation of the rate: √(0.05·0.95/10^5) = 0.00069; five of them.
    expect(Math.abs(rate(1) - failure)).toBeLessThan(0.00345);
    expect(Math.abs(rate(1.1) - failure)).toBeGreaterThan(0.00345);
    expect(Math.abs(rate(0.9) - failure)).toBeGreaterThan(0.00345);
  });
});

describe("bad parameters", () => {
  const bad = [0, -1, Number.NaN, Number.POSITIVE_INFINITY];
  it.each(bad)("%s is refused everywhere", (x) => {
    expect(() => meanError({ records: 10, epsilon: x })).toThrow(refused);
    expect(() => meanError({ records: x, epsilon: 1 })).toThrow(refused);
    expect(() => meanSampleSize({ error: x, epsilon: 1 })).toThrow(refused);
    expect(() => marginalsError({ records: 10, dimension: x, epsilon: 1 })).toThrow(refused);
    expect(() => marginalsSampleSize({ error: 0.1, dimension: 1, epsilon: 1, delta: x })).toThrow(refused);
    expect(() => laplaceMaxError({ sensitivity: x, dimension: 1, failure: 0.1, epsilon: 1 })).toThrow(
      refused,
    );
    expect(() => laplaceMaxError({ sensitivity: 1, dimension: 1, failure: x, epsilon: 1 })).toThrow(refused);
    expect(() => gaussianMaxError({ sigma: x, dimension: 1, failure: 0.1 })).toThrow(refused);
    expect(() => gaussianMaxErrorTextbook({ sigma: 1, dimension: x, failure: 0.1 })).toThrow(refused);
    expect(() => gaussianSigmaForMaxError({ error: x, dimension: 1, failure: 0.1 })).toThrow(refused);
  });
  it("a sample size is whole, and not beyond what a double counts", () => {
    expect([
      wholeAtLeast(0.2),
      wholeAtLeast(3),
      wholeAtLeast(3.0000001),
      wholeAtLeast(1 / 0.1 / 0.1),
    ]).toEqual([1, 3, 4, 100]);
    expect(() => meanSampleSize({ error: 1e-300, epsilon: 1 })).toThrow(/records/);
  });
});

/** A fixed stream of uniforms in [0, 1) for these tests alone (splitmix32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let x = state ^ (state >>> 16);
    x = Math.imul(x, 0x21f0aaad);
    x ^= x >>> 15;
    x = Math.imul(x, 0x735a2d97);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  };
}
