import type { Noise } from "@lethe/core/mechanisms";
import { describe, expect, it } from "vitest";
import { noiseShape } from "../statistics/noise-shape.ts";
import { gaussian, laplace } from "../testing/measured.ts";
import { errorQuantile } from "./error-interval.ts";

const quantile = (noises: readonly ReturnType<typeof gaussian>[], further = 0): number =>
  errorQuantile(
    noises,
    Float64Array.from(noises, () => 1),
    0.95,
    further,
  );

describe("the quantile of an error", () => {
  it("is a Gaussian's where the noise is", () => {
    expect(quantile([gaussian(3), gaussian(4)])).toBeCloseTo(5 * 1.959964, 5);
    expect(quantile([gaussian(3)], 16)).toBeCloseTo(5 * 1.959964, 5);
    expect(quantile([gaussian(0)])).toBe(0);
  });

  it("is between 0 and 3 % above that of one Laplace noise, ln 20, and of the sum of two", () => {
    const one = quantile([laplace(1)]) / Math.log(20);
    // P[|L₁ + L₂| > x] = (1 + x/2)·e^(−x) is 1/20 at 4.1128.
    const two = quantile([laplace(1), laplace(1)]) / 4.1128;
    for (const ratio of [one, two]) {
      expect(ratio).toBeGreaterThan(1 - 1e-3);
      expect(ratio).toBeLessThan(1.03);
    }
  });
});

describe("the shape of a noise", () => {
  it.each([1, 3, 50])("has the excess of the masses of discrete Laplace noise of scale %d", (scale) => {
    let [mass, second, fourth] = [1, 0, 0];
    for (let z = 1; z < 60 * scale; z += 1) {
      const each = 2 * Math.exp(-z / scale);
      mass += each;
      second += each * z ** 2;
      fourth += each * z ** 4;
    }
    const noise: Noise = { mechanism: "discrete-laplace@1", scale: `${scale}` };
    const { variance, excess } = noiseShape(noise, 0.5);
    expect(variance).toBeCloseTo((second / mass) * 0.25, 6);
    expect(excess).toBeCloseTo((fourth * mass) / second ** 2 - 3, 6);
  });

  it("has no excess for Gaussian noise, and no variance where nothing is drawn", () => {
    expect(noiseShape({ mechanism: "discrete-gaussian@1", sigmaSquared: "16" }, 2)).toEqual({
      variance: 64,
      excess: 0,
    });
    expect(noiseShape({ mechanism: "constant@1" }, 1)).toEqual({ variance: 0, excess: 0 });
  });
});
