import { describe, expect, it } from "vitest";
import { consistentCounts } from "./consistent-counts.ts";
import { shareNoise } from "./share-noise.ts";

/** The distance that the estimates give at a boundary, from noisy levels: written apart from the product's. */
function distance(levels: readonly number[][], b: number, before: number, share: number): number {
  const cells: number[] = [];
  for (let top = 0; top < b; top += 1) {
    const subtree = levels.map((level, d) => level.slice(top * b ** d, (top + 1) * b ** d));
    cells.push(...consistentCounts(subtree, b, null).at(-1)!);
  }
  const total = cells.reduce((x, y) => x + y, 0);
  return cells.slice(0, before).reduce((x, y) => x + y, 0) - share * total;
}

describe("shareNoise", () => {
  it.each([
    [2, 1, 0.5],
    [2, 3, 0.25],
    [3, 2, 0.9],
    [4, 3, 0.5],
    [5, 1, 0],
    [3, 3, 1],
  ])("is the response of the estimates to unit noise in every node: %i^%i, share %d", (b, height, share) => {
    const sizes = Array.from({ length: height }, (_, d) => b ** (d + 1));
    for (let before = 0; before <= b ** height; before += 1) {
      const responses = sizes
        .flatMap((size, depth) =>
          Array.from({ length: size }, (_, node) =>
            distance(
              sizes.map((n, d) => Array.from({ length: n }, (__, i) => Number(d === depth && i === node))),
              b,
              before,
              share,
            ),
          ),
        )
        .filter((response) => Math.abs(response) > 1e-12)
        .sort((x, y) => x - y);
      const stated = shareNoise({ branching: b, height }, before, share)
        .flatMap(({ weight, count }) => Array<number>(count).fill(weight))
        .filter((weight) => Math.abs(weight) > 1e-12)
        .sort((x, y) => x - y);
      expect(stated.length).toBe(responses.length);
      responses.forEach((response, i) => {
        expect(stated[i]).toBeCloseTo(response, 10);
      });
    }
  });
});
