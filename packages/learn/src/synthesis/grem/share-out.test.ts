import { elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Payable, shareGrid, shareOut } from "./share-out.ts";

const payable = fc.record({
  weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
  precision: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5, noNaN: true })),
  cost: fc.double({ min: 0.2, max: 2, noNaN: true }),
});

/** The variance of the cells where these shares are spent. */
function variance(residuals: readonly Payable[], part: number, shares: readonly number[]): number {
  return residuals.reduce((sum, { weight, precision, cost }, at) => {
    return sum + weight / (precision + (part * elementAt(shares, at)) / cost);
  }, 0);
}

describe("the shares of a round", () => {
  it("add up to it, and no other division leaves cells less noisy by more than small shares do", () => {
    fc.assert(
      fc.property(
        fc.array(payable, { minLength: 1, maxLength: 3 }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        (residuals, part) => {
          const shares = shareOut(residuals, part);
          expect(shares.reduce((a, b) => a + b, 0)).toBe(shareGrid);
          expect(shares.every((share) => share === 0 || share >= 128)).toBe(true);
          const found = variance(
            residuals,
            part,
            shares.map((share) => share / shareGrid),
          );
          // Every division into eighths.
          for (let a = 0; a <= 8; a++) {
            for (let b = 0; a + b <= 8; b++) {
              const other = residuals.length === 1 ? [1] : [a / 8, b / 8, (8 - a - b) / 8];
              if (residuals.length === 2) other[1] = (8 - a) / 8;
              expect(found).toBeLessThanOrEqual(1.3 * variance(residuals, part, other));
            }
          }
        },
      ),
      { seed: 4 },
    );
  });

  it("give nothing to what is known well, and all to what is not known", () => {
    const known = { weight: 1, precision: 100, cost: 1 };
    expect(shareOut([known, known, { weight: 1, precision: 0, cost: 1 }], 1)).toEqual([0, 0, 1024]);
    // In proportion to √(weight·cost) where nothing is known.
    expect(
      shareOut(
        [
          { weight: 4, precision: 0, cost: 1 },
          { weight: 1, precision: 0, cost: 1 },
        ],
        1,
      ),
    ).toEqual([683, 341]);
  });
});
