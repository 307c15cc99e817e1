import { areClose, hidden, type Seen } from "../derive/released/released-value.ts";
import { undecided } from "./unmade.ts";

/**
 * Returns a text for each row of values, which two rows share where they are equal, NULL being equal to NULL.
 * Errors: Unmade where a value is hidden, or rounding may have made two numbers different.
 */
export function valueTexts(rows: readonly (readonly Seen[])[]): readonly string[] {
  for (const place of rows[0]?.keys() ?? []) demandApart(rows.map((row) => row[place] ?? null));
  return rows.map((row) => JSON.stringify(row.map(textOf)));
}

function demandApart(values: readonly Seen[]): void {
  const numbers = Float64Array.from(new Set(values.filter((value) => typeof value === "number"))).sort();
  for (const [at, value] of numbers.entries()) {
    const next = numbers[at + 1];
    if (next !== undefined && next !== value && areClose(value, next)) undecided();
  }
}

/** Returns what stands for a value in JSON: an integer that no double holds stands in a list, so that no text reads like it. */
function textOf(value: Seen): unknown {
  if (value === hidden) return undecided();
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : [`${value}`];
}

/** Returns the places of rows, those with one text together, in the order in which the texts first stand. */
export function placesTogether(texts: readonly string[]): readonly (readonly number[])[] {
  const places = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const found = places.get(text);
    if (found) found.push(place);
    else places.set(text, [place]);
  }
  return [...places.values()];
}
