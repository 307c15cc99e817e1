import { largestOf } from "../largest-of.ts";
import type { ScaledSum } from "../scaled-sum.ts";
import { scaledSumKind } from "../scaled-sum-kind.ts";
import type { SumKind } from "../sum-kind.ts";

/** The sum of a unit's distances from the middle of the grid, scaled down to r of its rows where it has more. */
export const centredSum: SumKind<ScaledSum> = scaledSumKind({
  signs: () => ({}),
  rowRange: ({ half }) => [-Number(half), Number(half)],
  step: ({ grid }) => 2 ** grid.exponent,
  largest: ({ grid, half }) => largestOf(grid.lo, grid.hi, half),
  overRows({ argument, grid, mid }, writer) {
    const i = writer.gridded(argument, grid);
    const { minus, times } = writer.write;
    return writer.orZero(
      minus(writer.added(i), times(writer.whole(BigInt(mid)), writer.present(argument, i))),
    );
  },
  overUnit({ argument, grid, mid: middle }, writer, piece) {
    const i = writer.gridded(argument, grid);
    const { enclosed, minus, times, caseOf } = writer.write;
    const [total, n] = [piece(writer.added(i)), piece(writer.present(argument, i))];
    const [lo, mid, r] = [BigInt(grid.lo), BigInt(middle), writer.rows];
    const above = writer.scaled(enclosed(minus(total, times(writer.whole(lo), n))), n);
    const own = minus(total, times(writer.whole(mid), n));
    return caseOf([[writer.few(n), own]], minus(above, writer.whole(r * (mid - lo))));
  },
});
