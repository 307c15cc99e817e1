import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ndtr } from "../numeric/special/ndtr.ts";
import { ndtri } from "../numeric/special/ndtri.ts";
import { zcdpAdvantage, zcdpTruePositives } from "./zcdp-odds.ts";

const rhos = fc.double({ min: 1e-6, max: 20, noNaN: true });

describe("the odds of ρ-zCDP", () => {
  it("are what riskcal proves at ρ = 0.1: an advantage of .2217, and 3.506 % true positives at 1 %", () => {
    expect(zcdpAdvantage(0.1)).toBeCloseTo(0.2217419, 7);
    expect(zcdpTruePositives(0.1, 0, 0.01)).toBeCloseTo(0.0350627, 6);
  });

  it("are those of randomized response where it is the worst: ρ = ε·tanh(ε/2)", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-4, max: 12, noNaN: true }), (epsilon) => {
        const truth = Math.tanh(epsilon / 2);
        const stated = zcdpAdvantage(epsilon * truth);
        expect(stated).toBeGreaterThanOrEqual(truth * (1 - 1e-15));
        expect(stated).toBeLessThan(truth * (1 + 1e-9) + 1e-15);
      }),
    );
  });

  it("are never below the truth of a Gaussian, or of randomized response, of that ρ", () => {
    fc.assert(
      fc.property(rhos, fc.double({ min: 1e-4, max: 0.4, noNaN: true }), (rho, alpha) => {
        const mu = Math.sqrt(2 * rho);
        expect(zcdpAdvantage(rho)).toBeGreaterThan(2 * ndtr(mu / 2) - 1);
        expect(zcdpTruePositives(rho, 0, alpha)).toBeGreaterThan(ndtr(mu + ndtri(alpha)));
        const epsilon = 2 * Math.atanh(Math.min(1 - 1e-12, zcdpAdvantage(rho)));
        const response = Math.min(Math.exp(epsilon) * alpha, 1 - Math.exp(-epsilon) * (1 - alpha));
        expect(zcdpTruePositives(rho, 0, alpha)).toBeGreaterThanOrEqual(response * (1 - 1e-6));
      }),
      { numRuns: 60 },
    );
  });

  it("grow with ρ, with δ and with false positives", () => {
    fc.assert(
      fc.property(rhos, fc.double({ min: 0, max: 0.5, noNaN: true }), (rho, delta) => {
        expect(zcdpAdvantage(rho * 1.1, delta)).toBeGreaterThanOrEqual(zcdpAdvantage(rho, delta));
        expect(zcdpAdvantage(rho, delta)).toBeGreaterThanOrEqual(
          delta + (1 - delta) * zcdpAdvantage(rho) - 1e-14,
        );
        const at = (d: number, alpha: number): number => zcdpTruePositives(rho, d, alpha);
        expect(at(delta, 0.01)).toBeGreaterThanOrEqual(at(0, 0.01));
        expect(at(delta, 0.02)).toBeGreaterThanOrEqual(at(delta, 0.01));
        expect(at(delta, 0.01)).toBeGreaterThanOrEqual(delta + (1 - delta) * 0.01);
      }),
      { numRuns: 40 },
    );
  });

  it("are nothing without loss, and everything where δ leaves nothing", () => {
    expect(zcdpAdvantage(0)).toBe(0);
    expect(zcdpTruePositives(0, 0, 0.01)).toBeCloseTo(0.01, 8);
    expect(zcdpAdvantage(0, 0.25)).toBeCloseTo(0.25, 12);
    expect(zcdpTruePositives(1, 0.99, 0.01)).toBe(1);
    expect(() => zcdpAdvantage(Number.NaN)).toThrow(/rho/);
    expect(() => zcdpAdvantage(1, 1)).toThrow(/delta/);
    expect(() => zcdpTruePositives(1, 0, 0)).toThrow(/alpha/);
  });
});
