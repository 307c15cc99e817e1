import { largestOf } from "../largest-of.ts";
import type { ScaledSum } from "../scaled-sum.ts";
import { scaledSumKind } from "../scaled-sum-kind.ts";
import type { SumKind } from "../sum-kind.ts";
import type { SumWriter } from "../sum-writer.ts";

/** The sum of cubes of a unit's distances from the middle of the grid, scaled down to r of its rows where it has more. */
export const cubesSum: SumKind<ScaledSum> = scaledSumKind({
  signs: () => ({}),
  rowRange: ({ half }) => [-(Number(half) ** 3), Number(half) ** 3],
  step: ({ grid }) => 2 ** grid.exponent * 2 ** grid.exponent * 2 ** grid.exponent,
  largest: ({ half }) => 2n * largestOf(half) ** 3n,
  overRows: (sum, writer) =>
    writer.orZero(writer.added(cube(sum, writer, writer.gridded(sum.argument, sum.grid)))),
  overUnit(sum, writer, piece) {
    const i = writer.gridded(sum.argument, sum.grid);
    const n = piece(writer.present(sum.argument, i));
    const { enclosed, plus, minus, times, caseOf } = writer.write;
    const total = piece(writer.added(cube(sum, writer, i)));
    // The total is shifted by the least cube, so that nothing is negative.
    const most = BigInt(sum.half) ** 3n;
    const above = writer.scaled(enclosed(plus(total, times(writer.whole(most), n))), n);
    return caseOf([[writer.few(n), total]], minus(above, writer.whole(writer.rows * most)));
  },
});

/** A cube may take more than 64 bits, so the product starts with an integer of the type that holds it. */
function cube({ mid }: ScaledSum, writer: SumWriter, i: string): string {
  const distance = writer.distance(i, mid);
  return [distance, distance, distance].reduce(writer.write.times, writer.whole(1n));
}
