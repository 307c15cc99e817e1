import { describe, expect, it } from "vitest";
import { gridCells } from "./cell-tree.ts";
import type { Grid } from "./plan.ts";

const grid = (lo: bigint, hi: bigint): Grid => ({ exponent: 0, lo: `${lo}`, hi: `${hi}` });

describe("the cells of a grid", () => {
  it("are one an integer where those are few, and hold every value always", () => {
    for (const [lo, hi] of [
      [3n, 3n],
      [0n, 1n],
      [-4n, 9n],
      [0n, 120n],
      [-2000n, 2095n],
      [0n, 4096n],
      [0n, 1966080n],
      [-(2n ** 53n), 2n ** 53n],
    ] as const) {
      for (const groups of [1, 100, 101, Number.POSITIVE_INFINITY]) {
        const { cellWidth, branching, height } = gridCells(grid(lo, hi), groups);
        const most = groups <= 100 ? 4096n : 256n;
        const points = hi - lo + 1n;
        expect(BigInt(branching ** height) * cellWidth >= points).toBe(true);
        expect((points + cellWidth - 1n) / cellWidth <= most).toBe(true);
        if (points <= most) expect(cellWidth).toBe(1n);
        // The tree holds the cells with little to spare.
        expect(branching ** height).toBeLessThan(
          2.2 * Math.max(2, Number((points + cellWidth - 1n) / cellWidth)),
        );
      }
    }
  });

  it("lie under a tree of the height that costs a rank least", () => {
    expect(gridCells(grid(0n, 4095n), 1)).toEqual({ cellWidth: 1n, branching: 16, height: 3 });
    expect(gridCells(grid(0n, 255n), 1)).toEqual({ cellWidth: 1n, branching: 16, height: 2 });
    expect(gridCells(grid(0n, 7n), 1)).toEqual({ cellWidth: 1n, branching: 8, height: 1 });
    expect(gridCells(grid(5n, 5n), 1)).toEqual({ cellWidth: 1n, branching: 2, height: 1 });
  });
});
