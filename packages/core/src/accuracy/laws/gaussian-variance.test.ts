import { expect, it } from "vitest";
import { gaussianVariance } from "./gaussian-variance.ts";

it("is the sum over the masses below σ = 3, and the limit from there on", () => {
  const halves = (z: number): number => (z === 1 ? 0.25 : 0);
  expect(gaussianVariance(2.99, 9, halves)).toBe(0.5);
  expect(gaussianVariance(3, 9, halves)).toBe(9);
});
