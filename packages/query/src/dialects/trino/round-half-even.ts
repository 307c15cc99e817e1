import { double } from "./literals.ts";

/** From here on every double is an integer. */
const allIntegers = 2 ** 52;

/**
 * The integer nearest to a finite double, still a double; of two the even one. Trino's own rounding and its casts go half away from zero.
 * A sum between 2^52 and 2^53 has no bits for fractions, so that adding 2^52 rounds, by the rule of IEEE 754: to nearest, of two to the
 * even one; and taking it away again is exact. Doubles of up to 2^51 in absolute value, as `most` may promise, need one such number for
 * both signs: with 1.5 · 2^52 added, they lie there too. Any others are repeated, so `x` is cheap.
 */
export function roundHalfEven(x: string, most: number = Number.POSITIVE_INFINITY): string {
  const through = (start: number): string => `((${x} + ${double(start)}) - ${double(start)})`;
  if (most <= 2 ** 51) return through(1.5 * allIntegers);
  return (
    `CASE WHEN abs(${x}) >= ${double(allIntegers)} THEN ${x} WHEN ${x} >= 0E0 THEN ${through(allIntegers)} ` +
    `ELSE ${through(-allIntegers)} END`
  );
}
