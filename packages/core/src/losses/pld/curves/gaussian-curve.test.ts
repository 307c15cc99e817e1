import { describe, expect, it } from "vitest";
import { normalTailBracket } from "../../../numeric/bracket.ts";
import { compare, fromDouble, subtract, toDouble } from "../../../numeric/rational.ts";
import { gaussianCurve } from "./gaussian-curve.ts";

describe("the trade-off of a Gaussian", () => {
  // f(α) = P[N < x − μ] where α = P[N > x]: both from exact tails, α rounded to either side of itself.
  it.each([0.3, 4, 31.7])("holds the exact one between its ends, also far out: μ = %d", (mu) => {
    const curve = gaussianCurve(mu);
    for (let step = 0; step < 60; step += 1) {
      const x = fromDouble(-4 + 0.1234 * step);
      const alpha = normalTailBracket(x, 200);
      const truth = normalTailBracket(subtract(fromDouble(mu), x), 2400);
      const [least, most] = [toDouble(alpha.lo, "down"), toDouble(alpha.hi, "up")];
      const [over, under] = [curve.tradeoff(least).upper, curve.tradeoff(most).lower];
      expect(compare(fromDouble(over), truth.lo)).toBeGreaterThanOrEqual(0);
      expect(compare(fromDouble(under), truth.hi)).toBeLessThanOrEqual(0);
      expect(over - under).toBeLessThan(1e-10 * over);
    }
  });

  it("is 1 − α where nothing is lost, and at both ends", () => {
    expect(gaussianCurve(0).tradeoff(0.3)).toMatchObject({ lower: 0.7, upper: 0.7 });
    expect(gaussianCurve(2).tradeoff(0)).toMatchObject({ lower: 1, upper: 1 });
    expect(gaussianCurve(2).tradeoff(1)).toMatchObject({ lower: 0, upper: 0 });
  });
});
