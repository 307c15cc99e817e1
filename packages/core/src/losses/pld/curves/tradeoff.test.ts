import { describe, expect, it } from "vitest";
import { tradeoffBounds } from "./tradeoff.ts";

describe("the trade-off of a profile", () => {
  it("of randomized response is its two lines", () => {
    // δ(ε) of (1, 0)-DP at its optimum: f is max(0, 1 − e·α, (1 − α)/e) (Dong, Roth & Su 2022, eq. 5).
    const best = Math.E / (1 + Math.E);
    const profile = (epsilon: number) => {
      const delta = Math.max(0, best - Math.exp(epsilon) * (1 - best));
      return { lower: delta, upper: delta };
    };
    for (const alpha of [0.001, 0.1, 0.2689, 0.5, 0.95]) {
      const { lower, upper } = tradeoffBounds(profile, alpha);
      const truth = Math.max(1 - Math.E * alpha, (1 - alpha) / Math.E);
      expect(lower).toBeLessThanOrEqual(truth + 1e-15);
      expect(upper).toBeGreaterThanOrEqual(truth - 1e-15);
      expect(upper - lower).toBeLessThan(2e-3);
    }
  });

  it("of nothing known says nothing, of nothing lost 1 − α", () => {
    expect(tradeoffBounds(() => ({ lower: 0, upper: 1 }), 0.3)).toMatchObject({ lower: 0, upper: 0.7 });
    const { lower, upper } = tradeoffBounds(() => ({ lower: 0, upper: 0 }), 0.3);
    expect(lower).toBeCloseTo(0.7, 12);
    expect(upper).toBe(0.7);
    expect(tradeoffBounds(() => ({ lower: 0, upper: 0 }), 1)).toEqual({ lower: 0, upper: 0 });
  });
});
