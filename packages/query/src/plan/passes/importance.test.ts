import { describe, expect, it } from "vitest";
import { importances } from "./importance.ts";

/** The squared error of an answer whose parts have these shares. */
const errorOf = (squares: readonly number[], shares: readonly number[], power: number): number =>
  squares.reduce((sum, square, at) => sum + square / shares[at]! ** power, 0);

describe("importances", () => {
  it.each([
    ["pure", 2],
    ["approximate", 2],
    ["zcdp", 1],
  ] as const)(
    "%s: makes the error at the best split of the whole 1, and no split betters it",
    (measure, power) => {
      const scaled = importances(measure, [1 / 4, 1, 1 / 16]);
      const roots = scaled.map((square) => square ** (1 / (power + 1)));
      const total = roots.reduce((sum, root) => sum + root, 0);
      const best = roots.map((root) => root / total);
      expect(errorOf(scaled, best, power)).toBeCloseTo(1, 12);
      for (let i = 1; i < 20; i += 1) {
        for (let j = 1; i + j < 20; j += 1) {
          const shares = [i / 20, j / 20, (20 - i - j) / 20];
          expect(errorOf(scaled, shares, power)).toBeGreaterThan(1);
        }
      }
    },
  );

  it("keeps the proportions of the parts, and gives one part the whole", () => {
    expect(importances("pure", [7])[0]).toBeCloseTo(1, 12);
    const [a, b] = importances("zcdp", [1, 1 / 4]);
    expect(a! / b!).toBeCloseTo(4, 12);
  });
});
