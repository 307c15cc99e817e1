import type { Factor, Grid } from "@lethe/query";

/** As many as a question is ever planned with; a stranger's file may have any number. */
const mostFactors = 8;

/**
 * Returns the range of a row's integer that is a product of clamped grid integers. A power is monotone on each side of 0, and a product in
 * each of its factors, so that the extremes are among the products of ends, and of 0 where a grid goes around it. Errors: RangeError where the
 * stated grid is another than the factors make.
 */
export function productRange(
  stated: Grid,
  factors: readonly Factor[],
): { readonly low: bigint; readonly high: bigint } {
  const multiplied = factors.reduce((all, { power }) => all + power, 0);
  if (!(multiplied >= 2 && multiplied <= mostFactors))
    throw new RangeError("a product of fewer factors than 2, or of more than 8");
  let products: readonly bigint[] = [1n];
  for (const { grid, power } of factors) {
    const corners = cornersOf(grid).map((i) => i ** BigInt(power));
    products = products.flatMap((product) => corners.map((corner) => product * corner));
  }
  const low = products.reduce((least, product) => (product < least ? product : least));
  const high = products.reduce((most, product) => (product > most ? product : most));
  const exponent = factors.reduce((all, { grid, power }) => all + power * grid.exponent, 0);
  if (stated.exponent !== exponent || BigInt(stated.lo) !== low || BigInt(stated.hi) !== high)
    throw new RangeError("a product on another grid than its factors make");
  return { low, high };
}

function cornersOf({ lo, hi }: Grid): readonly bigint[] {
  const ends = [BigInt(lo), BigInt(hi)] as const;
  if (ends[0] > ends[1]) throw new RangeError("a factor whose grid ends before it begins");
  return ends[0] < 0n && ends[1] > 0n ? [...ends, 0n] : ends;
}
