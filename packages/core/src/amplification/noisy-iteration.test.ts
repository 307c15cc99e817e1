import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NoisyIteration, noisyIterationAveraged, noisyIterationRho } from "./noisy-iteration.ts";

const run = (change: Partial<NoisyIteration>): NoisyIteration => ({
  steps: 100,
  uses: [1],
  sigma: 4,
  gradientSensitivity: 2,
  learningRate: 0.5,
  smoothness: 1,
  convex: true,
  ...change,
});

/**
 * The exact ρ of gradient descent on f(x) = (β/2)(x − u)², from 0, without projection: the last iterate is Gaussian, and a unit that
 * is replaced at `uses` moves its mean by ηβ|u − u′|·Σ(1 − ηβ)^(n−t).
 */
function exactRho({
  steps,
  uses,
  sigma,
  gradientSensitivity,
  learningRate,
  smoothness,
}: NoisyIteration): number {
  const keep = 1 - learningRate * smoothness;
  let [shift, variance] = [0, 0];
  for (let t = 1; t <= steps; t += 1) {
    shift = keep * shift + (uses.includes(t) ? learningRate * gradientSensitivity : 0);
    variance = keep * keep * variance + (learningRate * sigma) ** 2;
  }
  return (shift * shift) / (2 * variance);
}

describe("noisy iteration", () => {
  it("one use at step t of n: Δ²/(2σ²(n − t + 1))", () => {
    for (const [t, n] of [
      [1, 1],
      [1, 100],
      [37, 100],
      [100, 100],
    ] as const) {
      expect(noisyIterationRho(run({ steps: n, uses: [t] })) / (4 / (2 * 16 * (n - t + 1)))).toBeCloseTo(
        1,
        12,
      );
    }
  });

  const uses = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });

  it("lies between the exact loss on a quadratic and composition", () => {
    fc.assert(
      fc.property(uses, fc.double({ min: 0, max: 2, noNaN: true }), (list, contraction) => {
        const each = run({ steps: 40, uses: list, smoothness: 1, learningRate: Math.max(1e-3, contraction) });
        const rho = noisyIterationRho(each);
        expect(rho).toBeGreaterThanOrEqual(exactRho(each) * (1 - 1e-12));
        expect(rho).toBeLessThanOrEqual(((4 * list.length) / (2 * 16)) * (1 + 1e-9));
      }),
    );
  });

  it("is reached where steps barely contract, so that a smaller claim would fail", () => {
    const slow = (list: readonly number[]): NoisyIteration =>
      run({ steps: 60, uses: list, smoothness: 1e-6, learningRate: 1e-3 });
    for (const list of [[1], [25], [60]]) {
      expect(exactRho(slow(list)) / noisyIterationRho(slow(list))).toBeGreaterThan(
        (60 - list[0]! + 1) / 60 - 1e-3,
      );
    }
    expect(exactRho(slow([1])) / noisyIterationRho(slow([1]))).toBeGreaterThan(0.999);
  });

  it("several uses: the cheapest admissible shifts, against all of a grid", () => {
    // Uses at 1 and 3 of 4: shifts a with a₁ ≤ 1, a₁ + a₂ ≤ 1, a₁ + a₂ + a₃ ≤ 2, total 2.
    let least = Number.POSITIVE_INFINITY;
    const parts = 60;
    for (let a = 0; a <= parts; a += 1) {
      for (let b = 0; a + b <= parts; b += 1) {
        for (let c = 0; a + b + c <= 2 * parts; c += 1) {
          const d = 2 * parts - a - b - c;
          least = Math.min(least, (a * a + b * b + c * c + d * d) / parts ** 2);
        }
      }
    }
    const rho = noisyIterationRho(run({ steps: 4, uses: [3, 1], sigma: 1, gradientSensitivity: 1 }));
    expect(rho).toBeCloseTo(least / 2, 12);
    expect(noisyIterationRho(run({ uses: [] }))).toBe(0);
    const all = Array.from({ length: 100 }, (_, i) => i + 1);
    expect(noisyIterationRho(run({ uses: all })) / ((100 * 4) / 32)).toBeCloseTo(1, 12);
  });

  it("a secret place in the order: between the best place and the worst", () => {
    const { uses: _uses, ...each } = run({ steps: 50 });
    for (const order of [1.5, 2, 8, 64]) {
      const averaged = noisyIterationAveraged(each, order);
      expect(averaged).toBeLessThanOrEqual(
        order * noisyIterationRho(run({ steps: 50, uses: [50] })) * (1 + 1e-9),
      );
      expect(averaged).toBeGreaterThan(order * noisyIterationRho(run({ steps: 50, uses: [1] })));
      let mean = 0;
      for (let t = 1; t <= 50; t += 1) {
        mean += Math.exp((order - 1) * order * noisyIterationRho(run({ steps: 50, uses: [t] }))) / 50;
      }
      expect(averaged).toBeGreaterThanOrEqual((Math.log(mean) / (order - 1)) * (1 - 1e-12));
      expect(averaged).toBeLessThan(Math.log(mean) / (order - 1) + 1e-9 / (order - 1));
    }
    expect(noisyIterationAveraged({ ...each, steps: 1e9 }, 2)).toBeLessThan(1e-6);
    expect(noisyIterationAveraged({ ...each, sigma: 1e-200 }, 2)).toBe(Number.POSITIVE_INFINITY);
  });

  it("refuses by name where the theorem does not hold", () => {
    const bad: readonly (readonly [Partial<NoisyIteration>, RegExp])[] = [
      [{ convex: false }, /convex/],
      [{ learningRate: 2.01 }, /learningRate/],
      [{ learningRate: 0 }, /learningRate/],
      [{ smoothness: Number.NaN }, /smoothness/],
      [{ smoothness: Number.POSITIVE_INFINITY }, /smoothness/],
      [{ sigma: 0 }, /sigma/],
      [{ sigma: Number.NaN }, /sigma/],
      [{ gradientSensitivity: -1 }, /gradientSensitivity/],
      [{ steps: 0 }, /steps/],
      [{ uses: [0] }, /uses/],
      [{ uses: [101] }, /uses/],
      [{ uses: [3, 3] }, /uses/],
      [{ uses: [1.5] }, /uses/],
    ];
    for (const [change, name] of bad) expect(() => noisyIterationRho(run(change))).toThrow(name);
    for (const order of [1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => noisyIterationAveraged(run({}), order)).toThrow(/order/);
    }
  });
});
