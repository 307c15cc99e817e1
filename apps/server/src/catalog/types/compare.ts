import { ArrayValue, RowValue, type Value } from "./values.ts";

type Present = NonNullable<Value>;

/** Orders two values of one type: negative, zero, positive. NULLs within arrays and rows are behind all others. */
export function compareValues(a: Present, b: Present): number {
  if (a instanceof ArrayValue && b instanceof ArrayValue) return compareItems(a.items, b.items);
  if (a instanceof RowValue && b instanceof RowValue) return compareItems(a.items, b.items);
  if (a === b) return 0;
  if (a < b) return -1;
  // NaN is above every number, as PostgreSQL has it.
  if (a > b) return 1;
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : 0;
}

function compareItems(a: readonly Value[], b: readonly Value[]): number {
  const count = Math.min(a.length, b.length);
  for (let at = 0; at < count; at += 1) {
    const order = compareNullsLast(a[at] ?? null, b[at] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Orders two values where NULL is behind all others and equal to itself. */
export function compareNullsLast(a: Value, b: Value): number {
  if (a === null) return b === null ? 0 : 1;
  return b === null ? -1 : compareValues(a, b);
}

/** Returns a key that two values have in common where they are equal, for maps and sets. NULL has one too. */
export function keyOf(value: Value): string | number | boolean | null {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}n`;
  if (value instanceof ArrayValue || value instanceof RowValue)
    return `[${value.items.map(itemKey).join("")}`;
  return value;
}

/** Returns a key of several values. */
export function keyOfAll(values: readonly Value[]): string | number | boolean | null {
  return values.length === 1 ? keyOf(values[0] ?? null) : values.map(itemKey).join("");
}

function itemKey(value: Value): string {
  const key = keyOf(value);
  const text = String(key);
  return `${key === null ? "-" : typeof key === "string" ? "s" : "v"}${text.length}:${text}`;
}
