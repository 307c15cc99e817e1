import { largestOf } from "../largest-of.ts";
import type { SumKind } from "../sum-kind.ts";
import type { SumWriter } from "../sum-writer.ts";
import type { ClampedSum } from "./sum-types.ts";

/** The sum of a unit's grid integers, clamped between lo and hi. */
export const clampedSum: SumKind<ClampedSum> = {
  addsUp: () => true,
  countsUnits: false,
  countsRows: false,
  counted: () => null,
  values: ({ argument, grid, factors }) => [{ argument, grid, factors }],
  kept: () => null,
  unitRange({ argument, grid, lo, hi }) {
    const step = 2 ** grid.exponent;
    const largest = Math.max(Math.abs(Number(grid.lo)), Math.abs(Number(grid.hi))) * step;
    return { argument, lo: Number(lo) * step, hi: Number(hi) * step, largest };
  },
  weighsRows: false,
  // A sum of values of one sign has that sign.
  signs({ lo, hi, grid }, unitIsRow) {
    const [clampLow, clampHigh] = [BigInt(lo), BigInt(hi)];
    const kept = (x: bigint): bigint => (x < clampLow ? clampLow : x > clampHigh ? clampHigh : x);
    // A unit that is one row is held by the grid as well as by the clamp.
    const low = unitIsRow ? kept(BigInt(grid.lo)) : clampLow;
    const high = unitIsRow ? kept(BigInt(grid.hi)) : clampHigh;
    return { ...(low >= 0n ? { atLeast: 0n } : {}), ...(high <= 0n ? { atMost: 0n } : {}) };
  },
  rowRange: ({ grid }) => [Number(grid.lo), Number(grid.hi)],
  mayClamp(sum, r) {
    const [lo, hi] = [BigInt(sum.grid.lo), BigInt(sum.grid.hi)];
    return BigInt(sum.lo) > lo || BigInt(sum.lo) > r * lo || BigInt(sum.hi) < hi || BigInt(sum.hi) < r * hi;
  },
  step: ({ grid }) => 2 ** grid.exponent,
  largest: ({ lo, hi, grid }) => largestOf(lo, hi, grid.lo, grid.hi),
  overRows(sum, writer) {
    const { grid, lo, hi } = sum;
    const i = integer(sum, writer);
    const narrower = BigInt(lo) > BigInt(grid.lo) || BigInt(hi) < BigInt(grid.hi);
    return writer.orZero(
      writer.write.sum(narrower ? writer.clamped(i, lo, hi) : i, largestOf(grid.lo, grid.hi)),
    );
  },
  overUnit(sum, writer, piece) {
    const total = piece(writer.write.sum(integer(sum, writer), largestOf(sum.grid.lo, sum.grid.hi)));
    return writer.unlessMerged(() => total, writer.clamped(total, sum.lo, sum.hi));
  },
};

/** Writes a row's integer: that of the argument, or the product of its factors', of which each is clamped. */
function integer({ argument, grid, factors }: ClampedSum, writer: SumWriter): string {
  if (factors === undefined) return writer.gridded(argument, grid);
  const { cast, times } = writer.write;
  return factors
    .flatMap((factor) => {
      const i = cast(writer.gridded(factor.argument, factor.grid), "integer");
      return Array.from({ length: factor.power }, () => i);
    })
    .reduce(times);
}
