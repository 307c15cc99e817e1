import type { Rational } from "@lethe/core";
import { ceilTo } from "@lethe/core/numeric";

/** Sums of fractions grow without end: beyond this many bits of denominator a sum is rounded up to the grid. */
const denominatorBits = 512;
const grid = 10n ** 100n;

/** Returns a spent amount, rounded up by less than 1e-100 where its denominator is too long, so that it is never understated. */
export function boundedUp(spent: Rational): Rational {
  return spent.den >> BigInt(denominatorBits) === 0n ? spent : ceilTo(spent, grid);
}
