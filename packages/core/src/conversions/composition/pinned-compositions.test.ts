import { describe, expect, it } from "vitest";
import {
  advancedComposition,
  advancedCompositionSix,
  advancedCompositionZcdp,
  basicComposition,
  classicalGaussianSigma,
  groupApproximate,
  groupGaussian,
  groupPure,
  groupTcdp,
  renyiGaussianSigma,
  rhoFromBoundedRange,
  tailBoundGaussianSigma,
  tightRhoFromPure,
} from "../index.ts";

/* Numbers worked out by hand from the theorems, and both ends of what each accepts. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const slack = 1e-6;
const cost = Math.log(1e6);

describe("textbook compositions", () => {
  it.each([
    [0.1, 1000],
    [0.5, 10],
    [1, 1],
    [1, 7],
    [2, 3],
  ])("ε %s, %s runs", (epsilon, count) => {
    const runs = { epsilon, delta: 1e-9, count };
    const delta = expect.closeTo(count * 1e-9 + slack, 18);
    const spread = Math.sqrt(2 * count * cost) * epsilon;
    const dwork = spread + count * epsilon * (Math.exp(epsilon) - 1);
    expect(advancedComposition(runs, slack)).toEqual({ epsilon: expect.closeTo(dwork, 10), delta });
    expect(advancedComposition(runs, slack).epsilon).toBeGreaterThanOrEqual(dwork * (1 - 1e-15));
    const zcdp = 0.5 * count * epsilon * epsilon + spread;
    expect(advancedCompositionZcdp(runs, slack)).toEqual({ epsilon: expect.closeTo(zcdp, 10), delta });
    const basic = basicComposition([runs]);
    expect(basic.epsilon).toBeCloseTo(count * epsilon, 10);
    expect(basic.delta).toBeCloseTo(count * 1e-9, 18);
  });

  it("ε of 0 is 0, and one of 1 is not", () => {
    expect(advancedComposition({ epsilon: 0, delta: 0, count: 9 }, slack).epsilon).toBe(0);
    // √(2·ln 10⁶) + e − 1.
    expect(advancedComposition({ epsilon: 1, delta: 0, count: 1 }, slack).epsilon).toBeCloseTo(6.9748, 4);
  });

  it("√6 holds up to its end: k·(e^ε − 1)² ≤ (8 − 4√3)·ln(1/slack)", () => {
    const end = Math.log1p(Math.sqrt(((8 - 4 * Math.sqrt(3)) * cost) / 10));
    const at = (epsilon: number): { readonly epsilon: number } =>
      advancedCompositionSix({ epsilon, delta: 0, count: 10 }, slack);
    expect(at(end * 0.999).epsilon).toBeCloseTo(end * 0.999 * Math.sqrt(60 * cost), 10);
    expect(() => at(end * 1.001)).toThrow(invalid);
  });

  it.each([
    ["ε below 0", { epsilon: -1e-300, delta: 0, count: 1 }, slack],
    ["an infinite ε", { epsilon: Number.POSITIVE_INFINITY, delta: 0, count: 1 }, slack],
    ["δ below 0", { epsilon: 1, delta: -1e-300, count: 1 }, slack],
    ["δ above 1", { epsilon: 1, delta: 1 + 1e-15, count: 1 }, slack],
    ["no run", { epsilon: 1, delta: 0, count: 0 }, slack],
    ["half a run", { epsilon: 1, delta: 0, count: 1.5 }, slack],
    ["more runs than are priced", { epsilon: 1e-9, delta: 0, count: 1e10 + 1 }, slack],
    ["no slack", { epsilon: 0.01, delta: 0, count: 1 }, 0],
    ["all slack", { epsilon: 0.01, delta: 0, count: 1 }, 1],
    ["a slack of 3", { epsilon: 0.01, delta: 0, count: 1 }, 3],
    ["NaN", { epsilon: Number.NaN, delta: 0, count: 1 }, slack],
  ])("refuse %s", (_, runs, share) => {
    for (const compose of [advancedComposition, advancedCompositionSix, advancedCompositionZcdp])
      expect(() => compose(runs, share)).toThrow(invalid);
  });

  it("take the ends of their domains", () => {
    for (const compose of [advancedComposition, advancedCompositionZcdp]) {
      expect(compose({ epsilon: 0.01, delta: 1, count: 1 }, slack).delta).toBe(1);
      expect(compose({ epsilon: 1e-9, delta: 0, count: 1e10 }, 1e-300).epsilon).toBeGreaterThan(0);
      expect(compose({ epsilon: 0.01, delta: 0, count: 1 }, 1 - 1e-16).epsilon).toBeGreaterThan(0);
    }
  });
});

describe("groups of k", () => {
  it("lose k·ε; δ·(e^{kε} − 1)/(e^ε − 1); k·μ, of which μ² is given; k²·ρ", () => {
    expect(groupPure(0.5, 4n)).toBeCloseTo(2, 12);
    const { epsilon, delta } = groupApproximate({ epsilon: 0.5, delta: 1e-6 }, 4n);
    expect(epsilon).toBeCloseTo(2, 12);
    expect(delta).toBeCloseTo((1e-6 * Math.expm1(2)) / Math.expm1(0.5), 15);
    expect(groupGaussian(0.25, 4n)).toBeCloseTo(4, 12);
    const tcdp = groupTcdp({ rho: 0.01, omega: 400 }, 3n)!;
    expect([tcdp.rho, tcdp.omega]).toEqual([expect.closeTo(0.09, 12), expect.closeTo(400 / 3, 9)]);
    expect(groupTcdp({ rho: 0.01, omega: 3 }, 3n)).toBeNull();
    expect(groupTcdp({ rho: 0.01, omega: 3.001 }, 3n)).not.toBeNull();
    expect(groupPure(0.5, 1n)).toBe(0.5);
  });
  it.each([0n, -1n])("are not of size %s", (size) => {
    for (const group of [
      () => groupPure(1, size),
      () => groupApproximate({ epsilon: 1, delta: 0 }, size),
      () => groupGaussian(1, size),
    ])
      expect(group).toThrow(invalid);
  });
});

describe("ρ of a pure loss", () => {
  it("is ε·tanh(ε/2), of bounded range ε²/8", () => {
    expect(rhoFromBoundedRange(2)).toBeCloseTo(0.5, 12);
    for (const epsilon of [0, 0.1, 1, 5])
      expect(tightRhoFromPure(epsilon)).toBeCloseTo(epsilon * Math.tanh(epsilon / 2), 12);
    expect(() => tightRhoFromPure(-1)).toThrow(invalid);
    expect(() => rhoFromBoundedRange(-1)).toThrow(invalid);
  });
});

describe("σ of a Gaussian, by the textbooks", () => {
  it("is √(2·ln(1.25/δ))·Δ/ε, for ε up to 1", () => {
    expect(classicalGaussianSigma(2, 0.5, 1e-5)).toBeCloseTo((Math.sqrt(2 * Math.log(1.25e5)) * 2) / 0.5, 9);
    expect(() => classicalGaussianSigma(1, 1.01, 1e-5)).toThrow(invalid);
  });
  it.each([
    [0, 1, 1e-5],
    [-1, 0.5, 1e-5],
    [1, 0, 1e-5],
    [1, 0.5, 0],
    [1, 0.5, 1],
    [1, 0.5, 3],
    [Number.NaN, 0.5, 1e-5],
  ])("is not told for sensitivity %s, ε %s, δ %s", (sensitivity, epsilon, delta) => {
    for (const sigma of [classicalGaussianSigma, tailBoundGaussianSigma, renyiGaussianSigma])
      expect(() => sigma(sensitivity, epsilon, delta)).toThrow(invalid);
  });
});
