import type { Widths } from "../answers/widths.ts";

/** Returns the word before an argument whose values count once each. */
export function distinctWord(distinct: true | undefined): string {
  return distinct ? "DISTINCT " : "";
}

/** Returns what bounds do to an aggregate of distinct values: all values beyond a bound become one. */
export function valuesAtBounds(written: string): string {
  return `${written} has them once, as that bound`;
}

/** Returns widths without those by the number of rows, for an answer whose width follows from the number of distinct values. */
export function withoutCurve(widths: Widths, distinct: true | undefined): Widths {
  return distinct ? { ...widths, widthAt: null } : widths;
}
