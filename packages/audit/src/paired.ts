import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";

/**
 * Returns the members of two lists at the same places, side by side.
 * Errors: internal.invariant where one list is longer: its last members would be compared with nothing.
 * @example paired([1, 2], ["a", "b"]) // => [[1, "a"], [2, "b"]]
 */
export function paired<A, B extends number | bigint | string | boolean | object>(
  some: readonly A[],
  others: readonly B[],
): (readonly [A, B])[] {
  if (some.length !== others.length) {
    throw new LetheError("internal.invariant", `lists of ${some.length} and of ${others.length} are paired`, {
      fix: "report this as a defect",
    });
  }
  return some.map((member, at) => [member, elementAt(others, at)] as const);
}
