import { describe, expect, it } from "vitest";
import {
  finitePair,
  gaussianPair,
  laplacePair,
  mixedPair,
  sampledPair,
  twoPointPair,
} from "../pairs/index.ts";
import { gaussianCurve } from "./gaussian-curve.ts";
import { oneStep } from "./one-step-curve.ts";

describe("one step without a grid", () => {
  it("is the closed form of a Gaussian, at every ε and δ", () => {
    const curve = gaussianCurve(0.8);
    const step = oneStep(gaussianPair(0.8));
    for (const epsilon of [0, 1e-9, 0.3, 1, 4, 12]) {
      const [truth, found] = [curve.delta(epsilon), step.delta(epsilon)];
      expect(found.lower).toBeLessThanOrEqual(truth.upper);
      expect(found.upper).toBeGreaterThanOrEqual(truth.lower);
      expect(found.upper - found.lower).toBeLessThan(1e-9 * truth.upper);
    }
    for (const delta of [0.2, 1e-3, 1e-12, 1e-60]) {
      const [truth, found] = [curve.epsilon(delta), step.epsilon(delta)];
      expect(found.lower).toBeLessThanOrEqual(truth.upper);
      expect(found.upper).toBeGreaterThanOrEqual(truth.lower);
      expect(found.upper - found.lower).toBeLessThan(1e-9);
    }
  });

  it("is max(p − e^ε·q) of finitely many outcomes, each way, atoms on ±ε included", () => {
    const p = [0.5, 0.3, 0.2, 0];
    const q = [0.1, 0.3, 0.4, 0.2];
    const step = oneStep(finitePair(p, q));
    for (const epsilon of [0, 0.1, Math.log(2), 1, Math.log(5), 1.7]) {
      const sum = (a: readonly number[], b: readonly number[]): number =>
        a.reduce((acc, one, i) => acc + Math.max(0, one - Math.exp(epsilon) * b[i]!), 0);
      const truth = Math.max(sum(p, q), sum(q, p));
      const { lower, upper } = step.delta(epsilon);
      expect(lower).toBeLessThanOrEqual(truth + 1e-15);
      expect(upper).toBeGreaterThanOrEqual(truth - 1e-15);
      expect(upper - lower).toBeLessThan(1e-11);
    }
  });

  it("knows the reverse of a sample: nothing is lost beyond −ln(1 − s)", () => {
    const step = oneStep(sampledPair(laplacePair(2), 0.8));
    // 0.8·(1 − e^{(ε′ − 2)/2}), ε′ = ln(1 + (e^0.5 − 1)/0.8), and the same of the mirror by the definition.
    const inner = Math.log1p(Math.expm1(0.5) / 0.8);
    const forward = 0.8 * -Math.expm1((inner - 2) / 2);
    expect(step.delta(0.5).lower).toBeLessThanOrEqual(forward * (1 + 1e-12));
    expect(step.delta(0.5).upper).toBeGreaterThanOrEqual(forward * (1 - 1e-12));
    const highest = Math.log1p(0.8 * Math.expm1(2));
    expect(step.delta(highest * (1 + 1e-12))).toMatchObject({ lower: 0, upper: 0 });
    expect(step.epsilon(0).upper).toBeCloseTo(highest, 12);
  });

  it("leaves no lower end where no neighbours reach the pair, and keeps what no ε takes away", () => {
    const loose = oneStep(twoPointPair(1, 1e-3, false));
    expect(loose.delta(0.2).lower).toBe(0);
    expect(loose.epsilon(0.1).lower).toBe(0);
    const tight = oneStep(twoPointPair(1, 1e-3));
    expect(tight.delta(5).lower).toBeCloseTo(1e-3, 12);
    expect(tight.epsilon(1e-4).lower).toBe(Number.POSITIVE_INFINITY);
    expect(tight.epsilon(1e-3).upper).toBeLessThanOrEqual(1 + 1e-12);
  });

  it("of an ε whose power is no double proves what it can", () => {
    const step = oneStep(
      mixedPair([
        { weight: 0.5, pair: gaussianPair(30) },
        { weight: 0.5, pair: laplacePair(1) },
      ]),
    );
    for (const epsilon of [690, 701, 900, 1e4, 1e300]) {
      const { lower, upper } = step.delta(epsilon);
      expect(lower).toBeLessThanOrEqual(upper);
      expect(upper).toBeGreaterThanOrEqual(0.5 * gaussianCurve(30).delta(epsilon).lower);
    }
  });
});
