import { describe, expect, it } from "vitest";
import { account } from "../../../account.ts";

const scales = [10, 11.3, 12.9, 14.2, 16.1, 18.7, 21.3, 24.1, 27.7, 31.9, 36.1, 41.3];
const delta = 1e-3;
const pitch = 1e-4;

/** P[L ≤ x] of Laplace noise whose loss lies within ±epsilon: e^{−epsilon}/2 at the lower end, ½ at the upper. */
const below = (epsilon: number, x: number): number =>
  x < -epsilon ? 0 : x >= epsilon ? 1 : Math.exp((x - epsilon) / 2) / 2;

/** The law of the sum of all losses, each rounded to the grid: up, or down. Index 0 of each is the loss −half·pitch. */
function sumOf(rounding: "up" | "down"): { readonly first: number; readonly mass: Float64Array } {
  let sum = { first: 0, mass: Float64Array.of(1) };
  for (const scale of scales) {
    const half = Math.ceil(1 / scale / pitch) + 1;
    const shift = rounding === "up" ? 0 : 1;
    const own = Float64Array.from({ length: 2 * half + 1 }, (_, i) => {
      const top = (i - half + shift) * pitch;
      return below(1 / scale, top) - below(1 / scale, top - pitch);
    });
    const mass = new Float64Array(sum.mass.length + own.length - 1);
    for (const [i, one] of own.entries()) {
      if (one > 0) for (let j = 0; j < sum.mass.length; j++) mass[i + j]! += one * sum.mass[j]!;
    }
    sum = { first: sum.first - half, mass };
  }
  return sum;
}

function epsilonOf({ first, mass }: { readonly first: number; readonly mass: Float64Array }): number {
  const deltaAt = (epsilon: number): number =>
    mass.reduce((all, one, i) => all + one * Math.max(0, -Math.expm1(epsilon - (first + i) * pitch)), 0);
  let [low, high] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (deltaAt(middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}

describe("Laplace noise of many scales, whose losses no grid holds", () => {
  const events = scales.map((scale) => ({
    ...({ kind: "continuous-laplace", version: 1 } as const),
    ...{ scale: `${scale}`, sensitivity: "1" },
  }));
  const found = account({ kind: "compose", version: 1, events }, { representations: ["pld"] }).epsilon(delta);

  it("has an ε between those of its losses rounded down and up", () => {
    const [least, most] = [epsilonOf(sumOf("down")), epsilonOf(sumOf("up"))];
    expect(most - least).toBeLessThan(0.01 * most);
    expect(found.upper).toBeGreaterThanOrEqual(least);
    expect(found.lower).toBeLessThanOrEqual(most);
  });

  it("has an interval as narrow as was asked for", () => {
    expect(found.upper - found.lower).toBeLessThanOrEqual(1e-4 * found.upper);
    expect(found.missed).toBeUndefined();
  });
});
