import { LetheError } from "@lethe/core";
import type { Pattern } from "./pattern.ts";
import { readPattern } from "./read-pattern.ts";

/** Reads a pattern that the resolver has spelled; `group` is 1 where it has a group to extract. Errors: internal.invariant. */
export function knownPattern(text: string, group = 0): Pattern {
  const pattern = readPattern(text, { group });
  if (!("fault" in pattern)) return pattern;
  throw new LetheError("internal.invariant", "an expression holds a pattern that cannot be read", {
    fix: "report this: Lethe spelled a pattern in a wrong way",
  });
}
