import type { Grid } from "../../grid/grid.ts";

/** 2^40 integers of this many bits add up to fewer bits than every engine sums. */
const mostBits = 53;

/** Whether a grid has an inside, and so few bits that every engine adds up its integers exactly. */
export function canBeSummed({ lo, hi }: Grid): boolean {
  const fits = [lo, hi].every((end) => BigInt.asIntN(mostBits + 2, BigInt(end)) === BigInt(end));
  return fits && BigInt(lo) <= BigInt(hi);
}
