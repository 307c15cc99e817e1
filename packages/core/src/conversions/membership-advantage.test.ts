import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromDouble, ratio } from "../numeric/rational.ts";
import { membershipAdvantage } from "./membership-advantage.ts";

describe("membershipAdvantage", () => {
  it("agrees with the formula, from above", () => {
    expect(membershipAdvantage(ratio(1n), ratio(0n))).toBe(0.4621171572600098);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 30, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (e, d) => {
          const advantage = membershipAdvantage(fromDouble(e), fromDouble(d));
          const formula = Math.tanh(e / 2) + (2 * d) / (Math.exp(e) + 1);
          expect(advantage).toBeLessThanOrEqual(1);
          expect(advantage).toBeGreaterThanOrEqual(Math.min(1, formula) - 4e-16);
          expect(advantage).toBeLessThanOrEqual(formula + 4e-16);
        },
      ),
    );
  });
  it("is 0 without loss, δ at ε = 0, and 1 for a huge ε", () => {
    expect(membershipAdvantage(ratio(0n), ratio(0n))).toBe(0);
    expect(membershipAdvantage(ratio(0n), ratio(1n, 4n))).toBe(0.25);
    expect(membershipAdvantage(ratio(10n ** 9n), ratio(0n))).toBe(1);
    expect(membershipAdvantage(ratio(1n), ratio(1n))).toBe(1);
  });
  it("refuses what is no loss", () => {
    expect(() => membershipAdvantage(ratio(-1n), ratio(0n))).toThrow(/epsilon/);
    expect(() => membershipAdvantage(ratio(1n), ratio(3n, 2n))).toThrow(/delta/);
  });
});
