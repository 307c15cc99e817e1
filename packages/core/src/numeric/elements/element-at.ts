import { LetheError } from "../../errors/lethe-error.ts";

/**
 * Returns the element at an index of any list. A wrong index stops Lethe here, and never becomes a number.
 * Errors: internal.invariant where there is no element.
 */
export function elementAt<T extends number | bigint | string | boolean | object>(
  values: ArrayLike<T>,
  index: number,
): T {
  return values[index] ?? absent();
}

/** Returns the last element of any list. Errors: internal.invariant where the list is empty. */
export function lastElement<T extends number | bigint | string | boolean | object>(values: ArrayLike<T>): T {
  return values[values.length - 1] ?? absent();
}

/**
 * Returns the double at an index, for inner loops. V8 reads fast in a function that has met one kind of list alone, so that these do not
 * share {@link elementAt}. Errors: internal.invariant where there is no element.
 */
export function doubleAt(values: Float64Array, index: number): number {
  return values[index] ?? absent();
}

/** Returns the byte at an index, for inner loops. Errors: internal.invariant where there is no element. */
export function byteAt(values: Uint8Array, index: number): number {
  return values[index] ?? absent();
}

/** Returns the 32-bit integer at an index, for inner loops. Errors: internal.invariant where there is no element. */
export function intAt(values: Int32Array, index: number): number {
  return values[index] ?? absent();
}

/** Returns the 32-bit word at an index, for inner loops. Errors: internal.invariant where there is no element. */
export function wordAt(values: Uint32Array, index: number): number {
  return values[index] ?? absent();
}

/** Returns the big integer at an index, for inner loops. Errors: internal.invariant where there is no element. */
export function bigintAt(values: readonly bigint[], index: number): bigint {
  return values[index] ?? absent();
}

/** Adds an amount to the double at an index, in place. Errors: internal.invariant where there is no element. */
export function addAt(values: Float64Array, index: number, amount: number): void {
  values[index] = doubleAt(values, index) + amount;
}

/** Throws. The index is not told: it may be counted from data. */
function absent(): never {
  throw new LetheError("internal.invariant", "a list has no element at an index that was read", {
    fix: "report this: Lethe read outside one of its own lists",
  });
}
