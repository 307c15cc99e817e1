import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { fromDouble, one, ratio, subtract } from "../../numeric/rational.ts";
import { ndtr } from "../../numeric/special/index.ts";
import { noiseLaw } from "./noise-laws.ts";
import { noiseQuantile } from "./noise-quantile.ts";

const laplace = (scale: string): Noise => ({ mechanism: "discrete-laplace@1", scale });
const rounded = (sigma: string): Noise => ({ mechanism: "rounded-gaussian@1", sigma });
const discrete = (sigmaSquared: string): Noise => ({ mechanism: "discrete-gaussian@1", sigmaSquared });

/** Unnormalized masses written down from the definitions, independently of the laws. */
function definition(noise: Noise): (z: number) => number {
  switch (noise.mechanism) {
    case "discrete-laplace@1":
      return (z) => Math.exp(-Math.abs(z) / Number(noise.scale));
    case "rounded-gaussian@1": {
      const sigma = Number(noise.sigma);
      return (z) => ndtr((0.5 - Math.abs(z)) / sigma) - ndtr((-0.5 - Math.abs(z)) / sigma);
    }
    case "discrete-gaussian@1":
      return (z) => Math.exp((-z * z) / (2 * Number(noise.sigmaSquared)));
    case "constant@1":
      return (z) => (z === 0 ? 1 : 0);
  }
}

const small: Noise[] = [
  ...["0.1", "0.7", "2", "10", "37.5"].map(laplace),
  ...["0.2", "1", "4.3", "25"].map(rounded),
  ...["0.09", "1", "30", "900", "4225", "10000"].map(discrete),
];

describe("noiseQuantile", () => {
  it.each(small)("is the smallest that covers: $mechanism $scale$sigma$sigmaSquared", (noise) => {
    const mass = definition(noise);
    const span = 2500;
    let total = 0;
    for (let z = -span; z <= span; z++) total += mass(z);
    for (const confidence of [0.1, 0.5, 0.683, 0.9, 0.95, 0.99, 0.9999]) {
      const q = Number(noiseQuantile(noise, confidence));
      let inside = 0;
      for (let z = -q; z <= q; z++) inside += mass(z);
      expect(inside / total).toBeGreaterThanOrEqual(confidence - 1e-12);
      if (q > 0) expect((inside - 2 * mass(q)) / total).toBeLessThan(confidence + 1e-12);
    }
  });
  it("holds at scales beyond doubles' integers", () => {
    // ln 20 · scale − ½ − …; by 60-digit arithmetic.
    expect(noiseQuantile(laplace("1e30"), 0.95) / 10n ** 20n).toBe(29957322735n);
    expect(noiseQuantile(rounded("1e30"), 0.95) / 10n ** 20n).toBe(19599639845n);
    expect(noiseQuantile(discrete("1e60"), 0.95) / 10n ** 20n).toBe(19599639845n);
  });
  it("needs no interval without noise", () => {
    expect(noiseQuantile({ mechanism: "constant@1" }, 0.999)).toBe(0n);
  });
  it("refuses what is not a confidence or a scale", () => {
    for (const confidence of [0, 1, -1, 2, Number.NaN]) {
      expect(() => noiseQuantile(laplace("1"), confidence)).toThrow(/confidence/);
    }
    for (const scale of ["0", "-1"]) expect(() => noiseQuantile(laplace(scale), 0.95)).toThrow(/scale/);
  });
  it("is near (scale · ln 20, 1.96 σ): a scale off by 10 % would show", () => {
    expect(noiseQuantile(laplace("1000"), 0.95)).toBe(2996n);
    expect(noiseQuantile(laplace("1100"), 0.95)).toBe(3295n);
    expect(noiseQuantile(rounded("1000"), 0.95)).toBe(1960n);
  });
});

describe("noise laws", () => {
  it.each(small)("masses and tails follow the definition: $mechanism $scale$sigma$sigmaSquared", (noise) => {
    const law = noiseLaw(noise);
    const mass = definition(noise);
    let total = 0;
    for (let z = -3000; z <= 3000; z++) total += mass(z);
    let outside = 1;
    for (let z = 0; z < 3 * law.scale + 3; z++) {
      const exact = mass(z) / total;
      expect(Math.abs(law.mass(z) - exact)).toBeLessThan(1e-12);
      outside -= z === 0 ? exact : 2 * exact;
      expect(law.beyond(z)).toBeGreaterThanOrEqual(outside - 1e-13);
      expect(law.beyond(z)).toBeLessThanOrEqual(outside + 2e-12 + (law.scale > 64 ? 4e-5 : 0));
    }
  });
  it.each(small.filter((noise) => noiseLaw(noise).scale >= 0.5))(
    "Z can be drawn within its coupling of V: $mechanism $scale$sigma$sigmaSquared",
    (noise) => {
      const { coupling, family, scale } = noiseLaw(noise);
      const mass = definition(noise);
      // P[Z ≥ k] for k from −span: Z ≤ V + c ⇔ P[Z ≥ k] ≤ P[V ≥ k − c] for all k; the other side by symmetry.
      const span = 2500;
      const upper = new Float64Array(2 * span + 2);
      for (let k = span; k >= -span; k--) upper[k + span] = upper[k + span + 1]! + mass(k);
      const total = upper[0]!;
      const continuous = (u: number): number =>
        family === "gaussian"
          ? ndtr(-u / scale)
          : u >= 0
            ? 0.5 * Math.exp(-u / scale)
            : 1 - 0.5 * Math.exp(u / scale);
      let tightest = Number.NEGATIVE_INFINITY;
      for (let k = -span; k <= span; k++) {
        const excess = upper[k + span]! / total - continuous(k - coupling);
        expect(excess).toBeLessThan(1e-9);
        tightest = Math.max(tightest, upper[k + span]! / total - continuous(k - 0.8 * coupling));
      }
      // A coupling 20 % smaller would not do: the check has teeth (the discrete Gaussian's is a round bound).
      if (noise.mechanism !== "discrete-gaussian@1") expect(tightest).toBeGreaterThan(1e-6);
    },
  );
  it("agrees with an exact alpha", () => {
    expect(noiseLaw(laplace("10")).quantile(ratio(1n, 20n))).toBe(30n);
    expect(noiseLaw(laplace("10")).quantile(subtract(one, fromDouble(0.95)))).toBe(
      noiseQuantile(laplace("10"), 0.95),
    );
  });
});
