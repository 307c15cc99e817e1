import { parseRational, type Rational, ratio, toDouble } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import { compare, divide, multiply } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import type { DerivedNoised } from "./derive-tree.ts";
import { spenders, weights } from "./spend-loss.ts";

const measured = (l1: bigint, l2Squared = l1 * l1): DerivedNoised => ({
  name: "m",
  l1,
  l2Squared,
  magnitude: l1,
  importance: 1,
});
const [half, delta, zero, one] = ["1/2", "1e-6", "0", "1"].map((text) => parseRational(text)) as [
  Rational,
  Rational,
  Rational,
  Rational,
];
const nothing: Noise = { mechanism: "constant@1" };

/** ε = Δ₁/scale of Laplace noise. */
function epsilonOf(noise: Noise, l1: bigint): Rational {
  if (noise.mechanism !== "discrete-laplace@1") throw new Error("Laplace noise is due");
  return divide(ratio(l1), parseRational(noise.scale));
}
/** Δ₂²/σ² of a Gaussian. */
function muSquaredOf(noise: Noise, l2Squared: bigint): Rational {
  if (noise.mechanism !== "rounded-gaussian@1") throw new Error("Gaussian noise is due");
  const sigma = parseRational(noise.sigma);
  return divide(ratio(l2Squared), multiply(sigma, sigma));
}

describe("a share of a price", () => {
  it("is of ε where noise is Laplace's, whatever the account", () => {
    const epsilon = parseRational("3");
    for (const spender of [
      spenders.pure.laplace({ measure: "pure", epsilon }, zero, one),
      spenders.pure.gaussian({ measure: "pure", epsilon }, zero, one),
      spenders.approximate.laplace({ measure: "approximate", epsilon, delta }, delta, one),
    ]) {
      expect(epsilonOf(spender(measured(7n), half), 7n)).toEqual(parseRational("3/2"));
      expect(spender(measured(0n), half)).toEqual(nothing);
    }
  });

  it("is of ρ in zCDP: √(2ρ) as ε of Laplace noise, Δ₂²/2σ² of a Gaussian, and never more", () => {
    const budget = { measure: "zcdp", rho: one, delta } as const;
    for (const share of ["1", "1/2", "1/50", "1/3"].map((text) => parseRational(text))) {
      const epsilon = epsilonOf(spenders.zcdp.laplace(budget, delta, one)(measured(7n), share), 7n);
      // ε² ≤ 2ρ, and hardly below.
      const spent = divide(multiply(epsilon, epsilon), multiply(ratio(2n), share));
      expect(compare(spent, one)).toBeLessThanOrEqual(0);
      expect(toDouble(spent, "down")).toBeGreaterThan(1 - 1e-9);
      const muSquared = muSquaredOf(spenders.zcdp.gaussian(budget, delta, one)(measured(7n), share), 49n);
      const paid = divide(muSquared, multiply(ratio(2n), share));
      expect(compare(paid, one)).toBeLessThanOrEqual(0);
      expect(toDouble(paid, "down")).toBeGreaterThan(0.999);
    }
    for (const family of ["laplace", "gaussian"] as const)
      expect(spenders.zcdp[family](budget, delta, one)(measured(0n), half)).toEqual(nothing);
  });

  it("is of μ² where Gaussians share an ε at one δ, in proportion to their shares of the rest", () => {
    const budget = { measure: "approximate", epsilon: one, delta } as const;
    const spender = (rest: Rational) => spenders.approximate.gaussian(budget, delta, rest);
    const mu = (rest: string, share: string): number =>
      toDouble(muSquaredOf(spender(parseRational(rest))(measured(7n), parseRational(share)), 49n), "down");
    const whole = mu("1", "1");
    expect(mu("1", "1/4") / whole).toBeCloseTo(0.25, 3);
    expect(mu("1/2", "1/2")).toBeLessThan(whole);
    expect(mu("1/2", "1/4") / mu("1/2", "1/2")).toBeCloseTo(0.5, 3);
    expect(spender(one)(measured(0n), half)).toEqual(nothing);
    // Where nothing is left, nothing is due.
    expect(spender(zero)(measured(7n), half)).toEqual(nothing);
  });

  it("is weighed by the trade between error and price: cube roots for ε, square roots for ρ and μ²", () => {
    const of = (measure: "pure" | "approximate" | "zcdp") => [
      weights[measure].laplace(64),
      weights[measure].gaussian(64),
    ];
    expect(of("pure")).toEqual([4, 8]);
    expect(of("approximate")).toEqual([4, 8]);
    expect(of("zcdp")).toEqual([8, 8]);
  });
});
