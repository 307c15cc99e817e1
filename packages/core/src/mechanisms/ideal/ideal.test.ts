import { describe, expect, it } from "vitest";
import { ratio, toDouble, zero } from "../../numeric/rational.ts";
import { continuousLaplace } from "./continuous-laplace.ts";
import { gaussian } from "./gaussian.ts";

describe("real noise", () => {
  it("Gaussian: μ = Δ/σ in every form", () => {
    const losses = gaussian.losses({ kind: "gaussian", version: 1, sigma: "2", sensitivity: "3" });
    expect(losses.mixed?.muSquared).toEqual(ratio(9n, 4n));
    expect(losses.zcdp?.rho).toEqual(ratio(9n, 8n));
    expect(losses.pure).toBeNull();
    expect(losses.renyi?.at(2)).toBeCloseTo(9 / 4, 10);
    expect(losses.pair?.gaussian).toBe(1.5);
  });
  it("Laplace: ε = Δ/scale", () => {
    const losses = continuousLaplace.losses({
      kind: "continuous-laplace",
      version: 1,
      scale: "2",
      sensitivity: "1",
    });
    expect(losses.pure?.epsilon).toEqual(ratio(1n, 2n));
    expect(losses.zcdp?.rho).toEqual(ratio(1n, 8n));
    expect(losses.pair?.maxLoss).toBeGreaterThanOrEqual(0.5);
    expect(losses.renyi?.at(2)).toBeLessThan(toDouble(losses.zcdp!.rho, "up") * 2);
  });
  it("two coordinates with Laplace noise are no worse than one number moved by their sum", () => {
    // δ at ε of a move (a, b) by direct integration over a grid of losses, against the one number's 1 − e^((ε − a − b)/2).
    const [a, b] = [0.4, 0.6];
    const steps = 4000;
    const quantiles = (shift: number): number[] =>
      // The loss of one coordinate under P: shift with mass ½, −shift with mass e^(−shift)/2, between them density e^((L − shift)/2)/4.
      Array.from({ length: steps }, (_, i) => {
        const u = (i + 0.5) / steps;
        const low = Math.exp(-shift) / 2;
        if (u < low) return -shift;
        if (u >= 0.5) return shift;
        return 2 * Math.log(2 * (u - low) + Math.exp(-shift)) + shift;
      });
    const first = quantiles(a);
    const second = quantiles(b);
    for (const epsilon of [0, 0.2, 0.5, 0.9]) {
      let delta = 0;
      for (let i = 0; i < steps; i += 8) {
        for (let j = 0; j < steps; j += 8) {
          delta += Math.max(0, -Math.expm1(epsilon - first[i]! - second[j]!));
        }
      }
      delta /= (steps / 8) ** 2;
      expect(delta).toBeLessThan(-Math.expm1((epsilon - a - b) / 2) * (1 + 2e-3));
      expect(delta).toBeGreaterThan(0);
    }
  });
  it("without sensitivity costs nothing; without noise is refused", () => {
    expect(
      gaussian.losses({ kind: "gaussian", version: 1, sigma: "2", sensitivity: "0" }).pure?.epsilon,
    ).toEqual(zero);
    for (const sigma of ["0", "-1", "NaN"]) {
      expect(() => gaussian.losses({ kind: "gaussian", version: 1, sigma, sensitivity: "1" })).toThrow(
        expect.objectContaining({ code: "parameter.invalid" }),
      );
    }
  });
});
