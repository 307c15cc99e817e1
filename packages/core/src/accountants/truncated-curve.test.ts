import { describe, expect, it } from "vitest";
import { account } from "../account.ts";
import type { PrivacyCurve } from "../losses/measures/privacy-curve.ts";
import { truncatedCurve } from "./truncated-curve.ts";

const whole = account({ kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" }).by("gaussian")!;
const distance = 1e-8;
const cut = truncatedCurve(whole, distance);
/** δ(ε) + (1 + e^ε)·distance: what the theorem allows. */
const allowed = (epsilon: number): number => whole.delta(epsilon).upper + (1 + Math.exp(epsilon)) * distance;

describe("a run within a distance of another", () => {
  it("is the other, at no distance", () => {
    expect(truncatedCurve(whole, 0)).toBe(whole);
  });

  it("costs the other's δ and the distance from both sides", () => {
    for (const epsilon of [0, 0.5, 1, 3]) {
      const { lower, upper } = cut.delta(epsilon);
      expect(upper / allowed(epsilon)).toBeCloseTo(1, 9);
      expect(upper).toBeGreaterThanOrEqual(allowed(epsilon) * (1 - 1e-14));
      expect(lower).toBeLessThanOrEqual(whole.delta(epsilon).lower);
      expect(lower).toBeGreaterThan(whole.delta(epsilon).lower - (1 + Math.exp(epsilon)) * distance * 1.001);
    }
  });

  it("has the least ε at which that is within δ", () => {
    for (const delta of [1e-3, 1e-5, 1e-6]) {
      const { lower, upper } = cut.epsilon(delta);
      expect(allowed(upper)).toBeLessThanOrEqual(delta * (1 + 1e-9));
      expect(allowed(upper * 0.999)).toBeGreaterThan(delta);
      expect(lower).toBeLessThanOrEqual(whole.epsilon(delta).upper);
      expect(lower).toBeGreaterThan(0);
    }
  });

  it("has the least ε also where the rounds come near it slowly", () => {
    // δ(ε) of the whole run is e^(from − ε): each round halves what is missing, so that more than twenty are needed.
    const [least, far] = [5, 1e-5];
    const left = 2 * Math.exp(least) * far;
    const from = least + Math.log(left);
    const provenance = { lower: "a formula", upper: "a formula" };
    const slow: PrivacyCurve = {
      epsilon: (delta) => ({ lower: 0, upper: Math.max(0, from - Math.log(delta)), provenance }),
      delta: (epsilon) => ({ lower: 0, upper: Math.exp(from - epsilon), provenance }),
      tradeoff: () => ({ lower: 0, upper: 1, provenance }),
    };
    const { upper } = truncatedCurve(slow, far).epsilon(left + (1 + Math.exp(least)) * far);
    expect(upper).toBeGreaterThan(least - 1e-9);
    expect(upper).toBeLessThan(least + 1e-6);
  });

  it("has none where the distance alone is above δ", () => {
    expect(cut.epsilon(1.9e-8)).toMatchObject({ lower: 0, upper: Number.POSITIVE_INFINITY });
  });

  it("has errors that the distance moves", () => {
    for (const alpha of [0.01, 0.3, 0.9]) {
      const { lower, upper } = cut.tradeoff(alpha);
      const at = whole.tradeoff(alpha);
      expect(lower).toBeLessThan(at.lower);
      expect(at.lower - lower).toBeLessThan(100 * distance);
      expect(upper).toBeGreaterThanOrEqual(at.upper);
      expect(upper).toBeLessThanOrEqual(1 - alpha);
    }
  });

  it("claims no test of fewer false alarms than the distance: a run within it may have none", () => {
    // Outcomes a, b, c: P = (½, ½, 0), Q = (0, ½, ½) are told apart by c alone. At a distance of 1/10 lie P* = (½, 2/5, 1/10) and Q* = (1/10, 2/5, ½), of
    // full support: without a false alarm nothing of Q* is found.
    const provenance = { lower: "a formula", upper: "a formula" };
    const errors = (alpha: number): number => Math.max(0, 0.5 - alpha);
    const half: PrivacyCurve = {
      ...whole,
      tradeoff: (alpha) => ({ lower: errors(alpha), upper: errors(alpha), provenance }),
    };
    const near = truncatedCurve(half, 0.1);
    for (const alpha of [0, 0.05, 0.0999]) expect(near.tradeoff(alpha).upper).toBe(1 - alpha);
    // With false alarms of a tenth c is found, and with it half of Q*.
    for (const alpha of [0.1001, 0.2]) {
      const { lower, upper } = near.tradeoff(alpha);
      expect(lower).toBeLessThanOrEqual(0.6 - alpha);
      expect(upper).toBeLessThan(0.61);
    }
  });
});
