import type { Grid } from "../../grid/grid.ts";

/** Returns the middle of a grid and the farthest that a grid integer lies from it. */
export function centre(grid: Grid): {
  readonly lo: bigint;
  readonly hi: bigint;
  readonly mid: bigint;
  readonly half: bigint;
} {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  // hi − mid ≥ mid − lo: division truncates the non-negative width.
  const mid = lo + (hi - lo) / 2n;
  return { lo, hi, mid, half: hi - mid };
}
