import { describe, expect, it } from "vitest";
import { account } from "../../../account.ts";
import type { Event } from "../../../events/event.ts";
import { oneStep } from "../curves/one-step-curve.ts";
import { gaussianPair } from "./gaussian-pair.ts";
import { sampledPair } from "./sampled-pair.ts";
import { trianglePair } from "./triangle-pair.ts";

/** δ(ε) of the pair in the plane by a rule of its own: squares of a hundredth, turned by 20 degrees against the triangle. */
function planeDelta(mu: number, rate: number, epsilon: number): number {
  const turned = (degrees: number): readonly [number, number] => {
    const angle = ((degrees + 20) * Math.PI) / 180;
    return [mu * Math.cos(angle), mu * Math.sin(angle)];
  };
  const [u, v] = [turned(30), turned(-30)];
  const step = 0.025;
  let sum = 0;
  for (let x = -8; x < 8 + mu; x += step) {
    for (let y = -8; y < 8 + mu; y += step) {
      const ratio = ([a, b]: readonly [number, number]): number => Math.exp(a * x + b * y - (mu * mu) / 2);
      const p = 1 - rate + rate * ratio(u);
      const q = 1 - rate + rate * ratio(v);
      sum += Math.max(0, p - Math.exp(epsilon) * q) * Math.exp(-(x * x + y * y) / 2);
    }
  }
  return (sum * step * step) / (2 * Math.PI);
}

describe("the triangle", () => {
  it.each([
    [1, 0.1, 0.05],
    [1, 0.1, 0.3],
    [0.5, 0.3, 0],
    [2, 0.01, 0.1],
  ])("of side %s at rate %s: δ(%s) is that of the plane, hardly less and never more", (mu, rate, epsilon) => {
    const [truth, found] = [planeDelta(mu, rate, epsilon), oneStep(trianglePair(mu, rate)).delta(epsilon)];
    expect(found.upper).toBeLessThan(truth * (1 + 1e-4));
    expect(found.lower).toBeGreaterThan(truth * (1 - 2e-3));
  });

  it("is its own mirror, of whole laws", () => {
    const pair = trianglePair(1 / 1.1, 256 / 60_000);
    expect(pair.symmetric).toBe(true);
    let [p, q] = [0, 0];
    pair.emit({ edge: () => 0, cell: () => 0, atom: () => 0 }, 1e-30, (_cell, massP, massQ) => {
      p += massP;
      q += massQ;
    });
    expect(p).toBeCloseTo(1, 10);
    expect(q).toBeCloseTo(1, 10);
  });

  it("loses no more than what dominates every draw, and less than one direction in one step", () => {
    for (const epsilon of [0, 0.01, 0.1, 0.5]) {
      const drawn = oneStep(sampledPair(gaussianPair(1), 0.1)).delta(epsilon);
      expect(oneStep(trianglePair(1, 0.1)).delta(epsilon).lower).toBeLessThanOrEqual(drawn.upper);
    }
  });

  it("raises the lower end of many draws without replacement", () => {
    const step: Event = {
      kind: "sample-without-replacement",
      version: 1,
      population: "60000",
      sample: "256",
      event: { kind: "gaussian", version: 1, sigma: "1.1", sensitivity: "1" },
    };
    const options = { adjacency: "replace-one", accuracy: 1e-3 } as const;
    const many = account(step, options).power(10_000).epsilon(1e-5);
    expect(many.lower).toBeGreaterThan(2.118);
    expect(many.upper).toBeLessThan(2.534);
    const one = account(step, options).epsilon(1e-5);
    expect(one.lower).toBeGreaterThan(0.9999 * one.upper);
  });

  it("refuses what is no side or no rate", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const [mu, rate] of [
      [0, 0.1],
      [11, 0.1],
      [1, 0],
      [1, 1],
      [Number.NaN, 0.1],
    ] as const) {
      expect(() => trianglePair(mu, rate)).toThrow(refusal);
    }
  });
});
