import { describe, expect, it } from "vitest";
import { ndtr } from "../../numeric/special/index.ts";
import { continuousTail } from "./continuous-tail.ts";

/** P[first + second ≥ u] by Simpson's rule on the density of the second. */
function convolved(
  first: (u: number) => number,
  density: (v: number) => number,
  reach: number,
  u: number,
): number {
  const n = 40_000;
  const h = (2 * reach) / n;
  let total = 0;
  for (let i = 0; i <= n; i++) {
    const v = -reach + i * h;
    total += (i === 0 || i === n ? 1 : i % 2 ? 4 : 2) * density(v) * first(u - v);
  }
  return (total * h) / 3;
}
const laplaceTail = (b: number) => (u: number) =>
  u >= 0 ? 0.5 * Math.exp(-u / b) : 1 - 0.5 * Math.exp(u / b);
const normalDensity = (s: number) => (v: number) =>
  Math.exp((-v * v) / (2 * s * s)) / (s * Math.sqrt(2 * Math.PI));
const laplaceDensity = (b: number) => (v: number) => Math.exp(-Math.abs(v) / b) / (2 * b);

describe("continuousTail", () => {
  it.each([0, 0.3, 1, 2.5, 7, 20])("two and three Laplace scales at %d", (u) => {
    const two = continuousTail([2, 1], 0);
    expect(Math.abs(two(u) - convolved(laplaceTail(2), laplaceDensity(1), 40, u))).toBeLessThan(1e-6);
    const three = continuousTail([1, 2, 3.5], 0);
    expect(Math.abs(three(u) - convolved(two, laplaceDensity(3.5), 140, u))).toBeLessThan(1e-6);
  });
  it.each([0, 0.3, 1, 2.5, 7, 20, 60])("Laplace with normal at %d", (u) => {
    for (const [b, s] of [
      [1, 1],
      [3, 0.5],
      [0.2, 2],
    ] as const) {
      const exact = convolved(laplaceTail(b), normalDensity(s), 12 * s, u);
      expect(Math.abs(continuousTail([b], s)(u) - exact)).toBeLessThan(1e-6);
    }
    expect(continuousTail([1e-9], 1)(u)).toBeCloseTo(ndtr(-u), 12);
    expect(continuousTail([], 2)(u)).toBeCloseTo(ndtr(-u / 2), 14);
  });
  it.each([0.5, 1, 3, 10])("equal scales are pulled apart to the wide side at %d", (u) => {
    // P[L + L′ ≥ u] = ½e^(−u)(1 + u/2).
    const exact = 0.5 * Math.exp(-u) * (1 + u / 2);
    const pulled = continuousTail([1, 1], 0)(u);
    expect(pulled).toBeGreaterThan(exact);
    expect(pulled).toBeLessThan(exact * (1 + 0.004 * u));
    const exactThree = Math.exp(-u) * (0.5 + (5 / 16) * u + (1 / 16) * u * u);
    const three = continuousTail([1, 1, 1], 0)(u);
    expect(three).toBeGreaterThan(exactThree);
    expect(three).toBeLessThan(exactThree * (1 + 0.012 * u));
  });
  it("is symmetric and falls", () => {
    for (const tail of [
      continuousTail([1, 1.001, 5], 0),
      continuousTail([1, 2], 0.7),
      continuousTail([], 3),
    ]) {
      let before = 1;
      for (let u = -30; u <= 30; u += 0.25) {
        expect(tail(u) + tail(-u)).toBeCloseTo(1, 12);
        expect(tail(u)).toBeLessThanOrEqual(before);
        before = tail(u);
      }
    }
  });
});
