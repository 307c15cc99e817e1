import { describe, expect, it } from "vitest";
import { LetheError } from "../errors/lethe-error.ts";
import { compare, parseRational, type Rational, ratio, zero } from "../numeric/rational.ts";
import { epsilonFromRhoTextbook } from "./bun-steinke.ts";
import { deltaFromRho, epsilonFromRho, rhoFromEpsilon } from "./canonne-kamath-steinke.ts";
import {
  deltaFromGaussian,
  epsilonFromGaussian,
  gaussianFromEpsilon,
} from "./gaussian/gaussian-to-approximate.ts";
import { approximateFromZcdp } from "./zcdp-to-approximate.ts";

const negative = ratio(-1n);
const small = parseRational("1e-6");

describe("conversions", () => {
  it.each<[string, () => unknown]>([
    ["ε of a negative ρ", () => epsilonFromRho(negative, small)],
    ["textbook ε of a negative ρ", () => epsilonFromRhoTextbook(negative, small)],
    ["δ of a negative ρ", () => deltaFromRho(negative, ratio(1n))],
    ["δ at a negative ε", () => deltaFromRho(ratio(1n), negative)],
    ["ρ of a negative ε", () => rhoFromEpsilon(negative, small)],
    ["ρ of ε = 0", () => rhoFromEpsilon(zero, small)],
    ["ε of a negative μ²", () => epsilonFromGaussian(negative, small)],
    ["δ of a negative μ²", () => deltaFromGaussian(negative, ratio(1n))],
    ["μ² of a negative ε", () => gaussianFromEpsilon(negative, small)],
    ["μ² of ε = 0", () => gaussianFromEpsilon(zero, small)],
  ])("refuse %s", (_, convert) => {
    expect(convert).toThrow(LetheError);
  });

  it.each<[string, Rational]>([
    ["0", zero],
    ["1", ratio(1n)],
    ["negative", negative],
    ["below 2^-256", ratio(1n, 1n << 257n)],
  ])("refuse a target δ that is %s", (_, delta) => {
    expect(() => epsilonFromRho(ratio(1n), delta)).toThrow(LetheError);
    expect(() => epsilonFromGaussian(ratio(1n), delta)).toThrow(LetheError);
  });

  it("give nothing for nothing", () => {
    expect(epsilonFromRho(zero, small)).toEqual(zero);
    expect(epsilonFromGaussian(zero, small)).toEqual(zero);
    expect(deltaFromGaussian(zero, ratio(1n))).toEqual(zero);
    const free = { measure: "zcdp", rho: zero, delta: small } as const;
    expect(approximateFromZcdp(free, small)).toEqual({ measure: "approximate", epsilon: zero, delta: small });
  });

  it("refuse a zCDP loss whose own δ leaves nothing of the target", () => {
    const loss = { measure: "zcdp", rho: ratio(1n, 100n), delta: small } as const;
    expect(() => approximateFromZcdp(loss, small)).toThrow(/leaves nothing/);
    expect(approximateFromZcdp(loss, parseRational("2e-6")).epsilon.num).toBeGreaterThan(0n);
  });

  it("never claim more than certainty", () => {
    expect(compare(deltaFromRho(ratio(100n), zero), ratio(1n))).toBeLessThanOrEqual(0);
    expect(compare(deltaFromGaussian(ratio(10_000n), zero), ratio(1n))).toBeLessThanOrEqual(0);
  });

  it("fall back on the zCDP bound, which is never smaller, for a Gaussian with almost no noise", () => {
    const beyond = epsilonFromGaussian(ratio(257n), small);
    expect(compare(beyond, epsilonFromGaussian(ratio(256n), small))).toBeGreaterThan(0);
    expect(compare(beyond, epsilonFromRho(ratio(257n, 2n), small))).toBe(0);
  });
});
