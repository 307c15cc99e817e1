import { describe, expect, it } from "vitest";
import oracle from "../../../../../testing/oracles/accounting.json" with { type: "json" };
import type { Noise } from "../../mechanisms/noise.ts";
import { parseRational, ratio, toDouble } from "../../numeric/rational.ts";
import { ndtr } from "../../numeric/special/index.ts";
import { noiseLaw } from "./noise-laws.ts";
import { noiseQuantile } from "./noise-quantile.ts";
import { noiseVariance } from "./noise-variance.ts";
import { eachAlpha, simultaneousQuantile } from "./simultaneous-quantile.ts";

const noises: readonly Noise[] = [
  { mechanism: "discrete-laplace@1", scale: "10" },
  { mechanism: "discrete-laplace@1", scale: "1/2" },
  { mechanism: "rounded-gaussian@1", sigma: "7/2" },
  { mechanism: "discrete-gaussian@1", sigmaSquared: "9/4" },
];

describe("one error bar for all coordinates", () => {
  it.each(noises)("is the least integer whose joint coverage reaches the confidence: %o", (noise) => {
    const law = noiseLaw(noise);
    for (const [d, confidence] of [
      [1, 0.95],
      [7, 0.9],
      [100, 0.95],
      [100_000, 0.999],
    ] as const) {
      const q = Number(simultaneousQuantile(noise, d, confidence));
      const covered = (reach: number): number => Math.exp(d * Math.log1p(-law.beyond(reach)));
      expect(covered(q)).toBeGreaterThanOrEqual(confidence - 1e-9);
      if (q > 0) expect(covered(q - 1)).toBeLessThan(confidence);
    }
  });

  it("is one coordinate's own at d = 1, grows with d, and never exceeds the union bound's", () => {
    for (const noise of noises) {
      expect(simultaneousQuantile(noise, 1, 0.95)).toBe(noiseQuantile(noise, 0.95));
      const bars = [1, 2, 10, 1000, 1e9].map((d) => simultaneousQuantile(noise, d, 0.95));
      expect([...bars].sort((a, b) => Number(a - b))).toEqual(bars);
      for (const d of [2, 10, 1000]) {
        const union = noiseLaw(noise).quantile(ratio(1n, 20n * BigInt(d)));
        expect(simultaneousQuantile(noise, d, 0.95)).toBeLessThanOrEqual(union);
      }
    }
  });

  it("is 76 for 100 coordinates of scale 10, where one alone has 30", () => {
    expect(simultaneousQuantile(noises[0]!, 100, 0.95)).toBe(76n);
    expect(simultaneousQuantile(noises[0]!, 1, 0.95)).toBe(30n);
  });
  it("lies within the continuous (Δ₁/ε)·ln(d/η) + 1 (A Cor 2.3)", () => {
    for (const d of [1, 10, 1000]) {
      const bar = Number(simultaneousQuantile(noises[0]!, d, 0.95));
      expect(bar).toBeLessThanOrEqual(10 * Math.log(d / 0.05) + 1);
      expect(bar).toBeGreaterThan(10 * Math.log(d / 0.05) - 2);
    }
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses %s coordinates", (d) => {
    expect(() => eachAlpha(d, ratio(1n, 20n))).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
  it.each([0, 1, Number.NaN])("refuses confidence %s", (confidence) => {
    expect(() => simultaneousQuantile(noises[0]!, 2, confidence)).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
  it("splits a chance so that d independent misses add up to it", () => {
    const each = toDouble(eachAlpha(1000, parseRational("0.05")), "down");
    expect(-Math.expm1(1000 * Math.log1p(-each))).toBeCloseTo(0.05, 12);
  });
});

describe("the variance of integer noise", () => {
  const due = (id: string): { value: number; rtol: number } =>
    oracle.cases.find((each) => each.id === id) as never;
  it.each([
    ["dlap-var", { mechanism: "discrete-laplace@1", scale: "2" }],
    ["dgauss-var-1", { mechanism: "discrete-gaussian@1", sigmaSquared: "1/4" }],
    ["dgauss-var-2", { mechanism: "discrete-gaussian@1", sigmaSquared: "1" }],
  ] as const)("agrees with the reference number %s", (id, noise) => {
    const { value, rtol } = due(id);
    expect(Math.abs(noiseVariance(noise) / value - 1)).toBeLessThan(rtol);
  });
  it.each([...noises, { mechanism: "rounded-gaussian@1", sigma: "3" } as const])(
    "is the sum over the mass function: %o",
    (noise) => {
      const law = noiseLaw(noise);
      let total = 0;
      for (let z = 1; z < 600; z++) total += 2 * z * z * law.mass(z);
      expect(noiseVariance(noise) / total).toBeCloseTo(1, 10);
    },
  );
  it.each(["1/2", "1", "2.99", "3", "50"])(
    "of a rounded Gaussian is Σ (2k − 1)·P[|Z| ≥ k]: σ = %s",
    (sigma) => {
      const spread = toDouble(parseRational(sigma), "up");
      let total = 0;
      for (let k = 1; k < 40 * spread + 2; k++) total += 2 * (2 * k - 1) * ndtr(-(k - 0.5) / spread);
      expect(noiseVariance({ mechanism: "rounded-gaussian@1", sigma }) / total).toBeCloseTo(1, 10);
    },
  );
  it("of a discrete Gaussian is σ² from σ = 3 on", () => {
    for (const sigmaSquared of ["9", "10", "1000000"]) {
      const variance = noiseVariance({ mechanism: "discrete-gaussian@1", sigmaSquared });
      expect(variance / Number(sigmaSquared)).toBeCloseTo(1, 12);
    }
  });
  it.each(["toString", "unheard-of@1"])("is refused of a noise without a law: %s", (mechanism) => {
    const invalid = expect.objectContaining({ code: "parameter.invalid" });
    expect(() => noiseVariance({ mechanism } as unknown as Noise)).toThrow(invalid);
  });
  it("is 0 without noise", () => expect(noiseVariance({ mechanism: "constant@1" })).toBe(0));
});
