import { describe, expect, it } from "vitest";
import { continuousTail } from "./continuous-tail.ts";
import { laplaceCombinationBound, laplaceCombinationQuantile } from "./laplace-combination.ts";

describe("laplaceCombinationQuantile", () => {
  it("is the quantile of one Laplace noise: scale·ln(1/2alpha)", () => {
    for (const alpha of [0.25, 0.025, 1e-4]) {
      const found = laplaceCombinationQuantile([{ scale: 7, count: 1 }], alpha);
      const due = 7 * Math.log(1 / (2 * alpha));
      expect(found).toBeGreaterThanOrEqual(due * (1 - 1e-9));
      expect(found).toBeLessThan(due * 1.001);
    }
  });

  it("agrees with the partial fractions of a few noises, from above", () => {
    for (const scales of [
      [1, 2],
      [3, 2, 1],
      [1e6, 3e6, 5e6, 2e6],
      [1, 1.5, 100],
    ]) {
      const tail = continuousTail(scales, 0);
      for (const alpha of [0.1, 0.025, 0.001]) {
        const x = laplaceCombinationQuantile(
          scales.map((scale) => ({ scale, count: 1 })),
          alpha,
        );
        expect(tail(x)).toBeLessThanOrEqual(alpha * (1 + 1e-6));
        expect(tail(x * 0.999)).toBeGreaterThan(alpha);
      }
    }
  });

  it("nears the normal law for thousands of noises, and its quick bound lies above by a third", () => {
    const terms = [
      { scale: 2, count: 2000 },
      { scale: 0.5, count: 3000 },
    ];
    const spread = Math.sqrt(2 * (4 * 2000 + 0.25 * 3000));
    const found = laplaceCombinationQuantile(terms, 0.025);
    expect(found / spread).toBeGreaterThan(1.9595);
    expect(found / spread).toBeLessThan(1.962);
    const quick = laplaceCombinationBound(terms, 0.025);
    expect(quick).toBeGreaterThan(found);
    expect(quick).toBeLessThan(found * 1.45);
    expect(laplaceCombinationQuantile([], 0.05)).toBe(0);
  });

  it("falls back to Chernoff's bound where alpha is below its own error", () => {
    const x = laplaceCombinationQuantile([{ scale: 1, count: 1 }], 1e-10);
    expect(x).toBeGreaterThanOrEqual(Math.log(1 / 2e-10));
    expect(x).toBeLessThan(2 * Math.log(1 / 2e-10));
  });

  it("is the same when asked again, and another at another alpha, scale or count", () => {
    const asked = [
      [1, 3, 0.05],
      [1, 3, 0.01],
      [2, 3, 0.05],
      [1, 4, 0.05],
    ] as const;
    const found = (): number[] =>
      asked.map(([scale, count, alpha]) => laplaceCombinationQuantile([{ scale, count }], alpha));
    const first = found();
    expect(new Set(first).size).toBe(asked.length);
    expect(found()).toEqual(first);
    // More than are kept.
    for (let at = 1; at <= 5000; at += 1) laplaceCombinationQuantile([{ scale: at, count: 1 }], 1e-10);
    expect(found()).toEqual(first);
  });
});
