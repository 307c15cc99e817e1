import { describe, expect, it } from "vitest";
import {
  boundedWeights,
  featureTotalsFor,
  maxNormNoiseFor,
  maxNormSampler,
} from "../mechanisms/marginals/index.ts";
import { parseRational, ratio } from "../numeric/rational.ts";
import { SeededSource } from "../tape.ts";
import { laplaceQuantile } from "./laws/laplace-law.ts";
import { simultaneousQuantile } from "./laws/simultaneous-quantile.ts";
import {
  boundedQuantile,
  featureMeansRadius,
  featureTotalsRadius,
  maxNormQuantile,
} from "./max-norm-error.ts";

const epsilon = ratio(1n);

/** P[‖Z‖∞ rounded to units > q], summed over the grid. */
function summed(dimension: number, scale: number, gridBits: number, q: number): number {
  const s = scale * 2 ** gridBits;
  const shell = (r: number): number =>
    Math.exp(dimension * Math.log(2 * r + 1) - r / s) *
    (r === 0 ? 1 : -Math.expm1(dimension * Math.log((2 * r - 1) / (2 * r + 1))));
  const from = Math.ceil((q + 0.5) * 2 ** gridBits);
  let [total, beyond] = [0, 0];
  for (let r = Math.ceil(s * (dimension + 60 + 15 * Math.sqrt(dimension))); r >= 0; r--) {
    total += shell(r);
    if (r >= from) beyond += shell(r);
  }
  return beyond / total;
}

describe("the largest of all errors under max-norm noise", () => {
  it.each([1, 2, 7])("has the least certain quantile of its own law, %s dimensions", (dimension) => {
    for (const scale of ["1", "20"]) {
      const noise = maxNormNoiseFor({ dimension, linf: BigInt(scale), epsilon });
      for (const confidence of [0.5, 0.95, 0.999]) {
        const q = Number(maxNormQuantile(noise, confidence));
        expect(summed(dimension, Number(scale), noise.gridBits, q)).toBeLessThanOrEqual(1 - confidence);
        // Tight: at most a fraction of a unit above.
        const before = summed(dimension, Number(scale), noise.gridBits, q - 1);
        expect(before * Math.exp(1 / (32 * dimension))).toBeGreaterThan(1 - confidence);
      }
    }
  });
  it("is the Laplace quantile for one coordinate", () => {
    const noise = maxNormNoiseFor({ dimension: 1, linf: 1000n, epsilon });
    const due = Number(laplaceQuantile(ratio(1000n), parseRational("0.05")));
    expect(Math.abs(Number(maxNormQuantile(noise, 0.95)) - due)).toBeLessThan(20);
  });
  it("has no logarithm of d: close to d, far below Laplace noise at the same ε", () => {
    for (const d of [10, 100, 1000, 100_000]) {
      const all = Number(maxNormQuantile(maxNormNoiseFor({ dimension: d, linf: 1n, epsilon }), 0.95));
      expect(all).toBeGreaterThan(d);
      expect(all).toBeLessThan(d + 2 * Math.sqrt(d) + 3);
      const laplace = simultaneousQuantile({ mechanism: "discrete-laplace@1", scale: `${d}` }, d, 0.95);
      expect(Number(laplace)).toBeGreaterThan(all * Math.log(d));
    }
  });
  // 3,000 runs at 90 %: a chance of 0.1 has deviation 0.0055; 5 of them are a false alarm below 1e-6.
  it("is kept as often as it says", () => {
    const noise = maxNormNoiseFor({ dimension: 12, linf: 30n, epsilon });
    const q = maxNormQuantile(noise, 0.9);
    const bits = new SeededSource(55);
    const sampler = maxNormSampler(noise);
    let misses = 0;
    for (let run = 0; run < 3000; run++) {
      if (sampler.sample(bits).some((z) => z > q || z < -q)) misses += 1;
    }
    expect(misses / 3000).toBeLessThan(0.128);
    expect(misses / 3000).toBeGreaterThan(0.072);
  });
});

describe("the largest of all errors under bounded noise", () => {
  const noise = { mechanism: "bounded@1", reach: 30, power: 4 } as const;
  it("is the least integer whose joint coverage reaches the confidence, and never beyond the reach", () => {
    const weights = boundedWeights(noise).map(Number);
    const total = weights.reduce((a, b) => a + b);
    const within = (q: number): number => weights.slice(30 - q, 31 + q).reduce((a, b) => a + b, 0) / total;
    for (const [d, confidence] of [
      [1, 0.5],
      [1, 0.95],
      [100, 0.95],
      [1000, 0.999],
    ] as const) {
      const q = Number(boundedQuantile(noise, d, confidence));
      expect(within(q) ** d).toBeGreaterThanOrEqual(confidence - 1e-9);
      expect(within(q - 1) ** d).toBeLessThan(confidence);
    }
    expect(boundedQuantile(noise, 1_000_000_000, 0.999999)).toBe(30n);
    expect(boundedQuantile(noise, 1, 1e-9)).toBe(0n);
  });
});

describe("error bars of feature totals and means", () => {
  it("come from the noise of the plan", () => {
    const pure = featureTotalsFor({ features: 20, cells: 4 }, { epsilon });
    expect(featureTotalsRadius(pure, 0.95)).toBe(maxNormQuantile(pure.noise as never, 0.95));
    const gaussian = featureTotalsFor({ features: 20, cells: 4 }, { rho: ratio(1n, 2n) });
    expect(featureTotalsRadius(gaussian, 0.95)).toBe(simultaneousQuantile(gaussian.noise as never, 20, 0.95));
    const radius = Number(featureTotalsRadius(gaussian, 0.95));
    expect(featureMeansRadius(gaussian, 100, 0.95, "yes-or-no")).toBeCloseTo(radius / 400, 12);
    expect(featureMeansRadius(gaussian, 100, 0.95)).toBeCloseTo(radius / 400 + 1 / 8, 12);
  });
  it("of Gaussian noise grow with √d, of pure noise with d: they cross", () => {
    const bars = (features: number) => [
      Number(featureTotalsRadius(featureTotalsFor({ features, cells: 1 }, { epsilon }), 0.95)),
      Number(
        featureTotalsRadius(
          featureTotalsFor({ features, cells: 1 }, { epsilon, delta: parseRational("1e-6") }),
          0.95,
        ),
      ),
    ];
    const [purely, gaussian] = [bars(4), bars(4096)];
    expect(purely[0]).toBeLessThan(purely[1]!);
    expect(gaussian[1]).toBeLessThan(gaussian[0]! / 3);
  });
  it("are refused for no units and no confidence", () => {
    const plan = featureTotalsFor({ features: 2, cells: 1 }, { epsilon });
    const invalid = expect.objectContaining({ code: "parameter.invalid" });
    expect(() => featureMeansRadius(plan, 0, 0.95)).toThrow(invalid);
    for (const confidence of [0, 1, Number.NaN])
      expect(() => featureTotalsRadius(plan, confidence)).toThrow(invalid);
  });
});
