import { largestOf } from "../largest-of.ts";
import type { PossibleSigns, SumKind } from "../sum-kind.ts";
import type { DistinctPowers } from "./distinct-powers.ts";

/** Σ (i − mid)^power over the union of units' grid integers, which no sum over units is. */
export const distinctPowersSum: SumKind<DistinctPowers> = {
  addsUp: () => false,
  countsUnits: false,
  countsRows: false,
  counted: () => null,
  values: ({ argument, grid }) => [{ argument, grid }],
  kept: ({ argument, most }) => ({ argument, most }),
  unitRange: () => null,
  weighsRows: false,
  signs(sum) {
    const [low, high] = distances(sum);
    if (sum.power !== 1) return { atLeast: 0n };
    return { ...(low >= 0n ? { atLeast: 0n } : {}), ...(high <= 0n ? { atMost: 0n } : {}) } as PossibleSigns;
  },
  rowRange(sum) {
    const [low, high] = distances(sum).map(Number) as [number, number];
    if (sum.power === 0) return [0, 1];
    return sum.power === 1 ? [low, high] : [0, Math.max(low ** 2, high ** 2)];
  },
  mayClamp: () => false,
  step: ({ grid, power }) => 2 ** (grid.exponent * power),
  // A square is written as j² − 2hj + h², none of which is larger than this.
  largest({ grid: { lo, hi }, mid, power }) {
    if (power === 0) return 1n;
    const widest = largestOf(lo, hi, `${BigInt(hi) - BigInt(lo)}`);
    return power === 1 ? widest + largestOf(mid) : 4n * widest ** 2n;
  },
  overRows({ argument, grid, mid: middle, power }, writer) {
    const { write } = writer;
    const i = writer.gridded(argument, grid);
    if (power === 0) return write.countDistinct(i);
    if (power === 1) {
      return writer.orZero(write.sumDistinct(middle === "0" ? i : writer.distance(i, middle)));
    }
    // Squares of distances from the low end are as distinct as the integers are; those of distances from the middle are not.
    const j = writer.distance(i, grid.lo);
    const h = BigInt(middle) - BigInt(grid.lo);
    const squares = writer.orZero(write.sumDistinct(write.times(j, j)));
    const linear = write.times(writer.whole(2n * h), writer.orZero(write.sumDistinct(j)));
    const constant = write.times(writer.whole(h * h), write.countDistinct(i));
    return write.enclosed(write.plus(write.enclosed(write.minus(squares, linear)), constant));
  },
  overUnit: null,
};

/** Returns how far the ends of the grid lie from the middle. */
function distances({ grid, mid }: DistinctPowers): readonly [bigint, bigint] {
  return [BigInt(grid.lo) - BigInt(mid), BigInt(grid.hi) - BigInt(mid)];
}
