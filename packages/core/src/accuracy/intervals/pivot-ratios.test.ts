import fc from "fast-check";
import { expect, it } from "vitest";
import { farthestRatio, type PivotRatio, pivotRatios } from "./pivot-ratios.ts";
import { farthest, plus, squared, times } from "./range-arithmetic.ts";

const range = (lo: number, hi: number, from: number, to: number) =>
  fc
    .tuple(fc.double({ min: from, max: to, noNaN: true }), fc.double({ min: lo, max: hi, noNaN: true }))
    .map(([at, width]) => ({ lo: at, hi: at + width }));

const pivots = fc
  .tuple(
    range(0, 3, -20, 20),
    range(0, 2, 0.5, 10),
    fc.double({ min: 0, max: 5, noNaN: true }),
    fc.double({ min: 0, max: 0.4, noNaN: true }),
  )
  .map(
    ([above, below, flat, steep]): PivotRatio => ({
      above,
      below,
      radius: (within, rough) => flat + steep * farthest(within) + (rough ? 0.1 : 0),
    }),
  );

it("leaves out no t that is accepted, and little more than the accepted ones is left", () => {
  fc.assert(
    fc.property(pivots, (pivot) => {
      const most = farthestRatio(pivot)!;
      const found = pivotRatios(pivot, { lo: -most, hi: most });
      const accepted = Array.from({ length: 2001 }, (_, k) => ((k - 1000) / 1000) * 100).filter((t) => {
        const product = times({ lo: t, hi: t }, pivot.below);
        const q = pivot.radius({ lo: t, hi: t }, false);
        return product.lo <= pivot.above.hi + q && pivot.above.lo - q <= product.hi;
      });
      for (const t of accepted) expect(found && found.lo <= t && t <= found.hi).toBe(true);
      if (accepted.length > 20) {
        const width = accepted.at(-1)! - accepted[0]!;
        expect(found!.hi - found!.lo).toBeLessThan(2 * width + 0.2);
      }
    }),
    { numRuns: 300, seed: 3 },
  );
});

it("finds no end where the noise grows as fast as what it stands beside", () => {
  expect(farthestRatio({ above: { lo: 1, hi: 1 }, below: { lo: 1, hi: 1 }, radius: farthest })).toBeNull();
});

it("ranges hold sums, products and squares of all that they hold", () => {
  const any = range(0, 5, -5, 5);
  const share = fc.constantFrom(0, 0.3, 1);
  fc.assert(
    fc.property(any, any, share, share, (a, b, s, t) => {
      const [x, y] = [a.lo + s * (a.hi - a.lo), b.lo + t * (b.hi - b.lo)];
      for (const [{ lo, hi }, value] of [
        [plus(a, b), x + y],
        [times(a, b), x * y],
        [squared(a), x * x],
      ] as const)
        expect(lo - 1e-12 <= value && value <= hi + 1e-12).toBe(true);
    }),
    { numRuns: 300, seed: 4 },
  );
});
