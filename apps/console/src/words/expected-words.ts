import type { ExpectedAnswer } from "@lethe/client";
import { visible } from "./visible.ts";

/**
 * Writes the error that a column's answer is expected to have: the half-width of its interval, where the size of a group decides it at sizes that are usual. Null where nothing is known of it.
 * @example expectedWords({ name: "n", kind: "count", halfWidth: 5.99, curve: [], expected: null, bounds: null }) // => "n ± 6"
 */
export function expectedWords({
  name,
  halfWidth,
  curve,
  expected,
  bounds,
  unit,
}: ExpectedAnswer): string | null {
  const width = (half: number): string => `± ${short(half)}${unit === undefined ? "" : ` ${unit}`}`;
  if (halfWidth !== null) return `${visible(name)} ${width(halfWidth)}`;
  if (expected !== null) return `${visible(name)} ${width(expected.typical)} in ${rowsWords(expected.rows)}`;
  const range = bounds === null ? Number.POSITIVE_INFINITY : bounds[1] - bounds[0];
  // A half-width of half the bounds says nothing.
  const telling = curve.filter(({ typical }) => typical < range / 2);
  const shown = telling.filter(({ rows }) => rows === 100 || rows === 1000 || rows === 10_000).slice(0, 2);
  const at = shown.length > 0 ? shown : telling.slice(0, 1);
  if (at.length === 0) return null;
  return `${visible(name)} ${at.map(({ rows, typical }) => `${width(typical)} in ${rowsWords(rows)}`).join(", ")}`;
}

function rowsWords(rows: number): string {
  return `${Math.round(rows).toLocaleString("en")} rows`;
}

/** Writes a half-width with two digits that say something. */
function short(half: number): string {
  return half.toLocaleString("en", { maximumSignificantDigits: half >= 100 ? 3 : 2 });
}
