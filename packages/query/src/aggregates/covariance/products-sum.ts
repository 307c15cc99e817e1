import { largestOf } from "../largest-of.ts";
import type { SumKind } from "../sum-kind.ts";
import type { SumWriter } from "../sum-writer.ts";
import type { ProductsSum } from "./covariance-types.ts";

/** The sum of products of a unit's distances from the middles of two grids, scaled down to r of its rows where it has more. */
export const productsSum: SumKind<ProductsSum> = {
  addsUp: () => true,
  countsUnits: false,
  countsRows: false,
  counted: () => null,
  values: ({ argument, grid, other }) => [
    { argument, grid },
    { argument: other.argument, grid: other.grid },
  ],
  kept: () => null,
  unitRange: () => null,
  weighsRows: true,
  signs: () => ({}),
  rowRange({ half, other }) {
    const most = Number(half) * Number(other.half);
    return [-most, most];
  },
  mayClamp: () => false,
  step: ({ grid, other }) => 2 ** grid.exponent * 2 ** other.grid.exponent,
  largest: ({ half, other }) => 2n * largestOf(half) * largestOf(other.half),
  overRows: (sum, writer) => writer.orZero(writer.added(product(sum, writer))),
  overUnit(sum, writer, piece) {
    const n = piece(writer.present(sum.argument, writer.gridded(sum.argument, sum.grid)));
    const { enclosed, plus, minus, times, caseOf } = writer.write;
    const total = piece(writer.added(product(sum, writer)));
    // The total is shifted by the least product, so that nothing is negative.
    const most = BigInt(sum.half) * BigInt(sum.other.half);
    const above = writer.scaled(enclosed(plus(total, times(writer.whole(most), n))), n);
    return caseOf([[writer.few(n), total]], minus(above, writer.whole(writer.rows * most)));
  },
};

function product({ argument, grid, mid, other }: ProductsSum, writer: SumWriter): string {
  const i = writer.distance(writer.gridded(argument, grid), mid);
  const j = writer.distance(writer.gridded(other.argument, other.grid), other.mid);
  return writer.write.times(i, j);
}
