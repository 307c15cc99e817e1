import { largestOf } from "../largest-of.ts";
import type { ScaledSum } from "../scaled-sum.ts";
import { scaledSumKind } from "../scaled-sum-kind.ts";
import type { SumKind } from "../sum-kind.ts";
import type { SumWriter } from "../sum-writer.ts";

/** The sum of squares of a unit's distances from the middle of the grid, scaled down to r of its rows where it has more. */
export const squaresSum: SumKind<ScaledSum> = scaledSumKind({
  signs: () => ({ atLeast: 0n }),
  rowRange: ({ half }) => [0, Number(half) ** 2],
  step: ({ grid }) => 2 ** grid.exponent * 2 ** grid.exponent,
  largest: ({ half }) => largestOf(half) ** 2n,
  overRows: (sum, writer) =>
    writer.orZero(writer.added(square(sum, writer, writer.gridded(sum.argument, sum.grid)))),
  overUnit(sum, writer, piece) {
    const i = writer.gridded(sum.argument, sum.grid);
    const { write } = writer;
    const [total, n] = [piece(writer.added(square(sum, writer, i))), piece(writer.present(sum.argument, i))];
    return write.caseOf([[writer.few(n), total]], writer.scaled(total, n));
  },
});

function square({ mid }: ScaledSum, writer: SumWriter, i: string): string {
  return writer.write.times(writer.distance(i, mid), writer.distance(i, mid));
}
