import { LetheError } from "@lethe/core";

/**
 * Returns the member of a list at a computed place.
 * Errors: internal.invariant where the list has none there, so that a wrong place is never counted as a number.
 * @example memberAt(["a", "b"], 1) // => "b"
 */
export function memberAt<T>(list: ArrayLike<T>, at: number): T {
  const member = list[at];
  if (member === undefined) {
    throw new LetheError("internal.invariant", `a list of ${list.length} has no member ${at}`, {
      fix: "report this as a defect",
    });
  }
  return member;
}
