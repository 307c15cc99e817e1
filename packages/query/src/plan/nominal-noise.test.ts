import { LetheError, parseRational, type Rational, ratio, toDouble } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import { compare, divide, multiply } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { fittedNoise, nominalEvent, nominalNoise } from "./nominal-noise.ts";

const laplace = (scale: string): Noise => ({ mechanism: "discrete-laplace@1", scale });
const gaussian = (sigma: string): Noise => ({ mechanism: "rounded-gaussian@1", sigma });
const none: Noise = { mechanism: "constant@1" };

/** Δ₂²/σ². */
const muSquared = (l2Squared: string, noise: Noise): Rational => {
  if (noise.mechanism !== "rounded-gaussian@1") throw new Error("a Gaussian is due");
  const sigma = parseRational(noise.sigma);
  return divide(parseRational(l2Squared), multiply(sigma, sigma));
};

describe("noise before its bounds are known", () => {
  it("is Laplace noise of the same ε at a sensitivity of 1", () => {
    expect(nominalNoise({ name: "m", noise: laplace("33/2"), l1: "11", l2Squared: "121" })).toEqual({
      name: "m",
      noise: laplace("3/2"),
      l1: "1",
      l2Squared: "1",
    });
  });

  it("is a Gaussian of hardly more Δ₂/σ at a sensitivity of 2", () => {
    const { noise, l1, l2Squared } = nominalNoise({
      name: "m",
      noise: gaussian("30"),
      l1: "12",
      l2Squared: "36",
    });
    expect([l1, l2Squared]).toEqual(["2", "4"]);
    // Δ₂²/σ² is 36/900.
    expect(compare(muSquared("4", noise), ratio(36n, 900n))).toBeLessThanOrEqual(0);
    expect(toDouble(muSquared("4", noise), "down")).toBeCloseTo(0.04, 6);
  });

  it("is nothing where nothing is hidden, and no other noise is known", () => {
    expect(nominalNoise({ name: "m", noise: none, l1: "0", l2Squared: "0" })).toEqual({
      name: "m",
      noise: none,
      l1: "0",
      l2Squared: "0",
    });
    expect(() =>
      nominalNoise({
        name: "m",
        noise: { mechanism: "discrete-gaussian@1", sigmaSquared: "4" },
        l1: "1",
        l2Squared: "1",
      }),
    ).toThrow(LetheError);
  });

  it("is fitted to the sensitivity that bounds give, at no larger ε or Δ₂/σ", () => {
    const one = nominalNoise({ name: "m", noise: laplace("3/2"), l1: "1", l2Squared: "1" });
    expect(fittedNoise(one, { l1: 7n, l2Squared: 49n })).toEqual(laplace("21/2"));
    const two = nominalNoise({ name: "m", noise: gaussian("30"), l1: "12", l2Squared: "36" });
    const fitted = fittedNoise(two, { l1: 50n, l2Squared: 2500n });
    expect(compare(muSquared("2500", fitted), muSquared("4", two.noise))).toBeLessThanOrEqual(0);
    expect(toDouble(muSquared("2500", fitted), "down")).toBeCloseTo(0.04, 6);
    const nothing = { name: "m", noise: none, l1: "0", l2Squared: "0" };
    expect(fittedNoise(nothing, { l1: 0n, l2Squared: 0n })).toEqual(none);
  });

  it("is an event of its own sensitivities", () => {
    expect(nominalEvent({ noise: laplace("3"), l1: "2", l2Squared: "4" })).toEqual({
      kind: "laplace",
      version: 1,
      l1: "2",
      scale: "3",
    });
  });
});
