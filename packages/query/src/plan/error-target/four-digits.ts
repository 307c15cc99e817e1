import { type Rational, ratio } from "@lethe/core";

/** ε's of four significant digits from 0.000001 to 1000000, the least first: what a search for a price runs over. */
const decades = 12;
const perDecade = 9000;
const leastExponent = 9n;

/** The place of 1000000. */
export const lastPlace: number = decades * perDecade;

/** @example epsilonAt(54_000) // => 1 */
export function epsilonAt(place: number): Rational {
  const decade = BigInt(Math.floor(place / perDecade));
  const digits = BigInt(1000 + (place % perDecade));
  return decade >= leastExponent
    ? ratio(digits * 10n ** (decade - leastExponent))
    : ratio(digits, 10n ** (leastExponent - decade));
}

/** The last place whose ε is not above x; 0 for what is smaller than all of them. */
export function placeOf(x: number): number {
  if (!(x > 1e-6)) return 0;
  if (x >= 1e6) return lastPlace;
  const decade = Math.min(decades - 1, Math.max(0, Math.floor(Math.log10(x)) + 6));
  const digits = Math.floor(x * 10 ** (9 - decade) + 1e-6);
  return Math.min(lastPlace, Math.max(0, decade * perDecade + digits - 1000));
}
