import { invalidParameter, parseRational, type Rational, toText } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";

const maxNameLength = 200;

/** A name that can be a key everywhere: not empty, not long, no control characters, no half of a surrogate pair. */
export function requireName(value: string, what: string): string {
  const plain = typeof value === "string" && value.length > 0 && value.length <= maxNameLength;
  if (!plain || /\p{Cc}|\p{Cs}/u.test(value)) {
    throw invalidParameter(
      what,
      value,
      `a text of 1 to ${maxNameLength} characters without control characters`,
    );
  }
  return value;
}

/** A number of a budget or a loss: ≥ 0, and short enough that its text can be read back. */
export function requireAmount(value: Rational, what: string): Rational {
  if (!(compare(value, zero) >= 0)) throw invalidParameter(what, toText(value), "≥ 0");
  parseRational(toText(value), what);
  return value;
}

/** The last moment that a date can tell (ECMAScript, Time Values). */
const lastTime = 8.64e15;

/** Milliseconds since 1970, whole. */
export function requireTime(clock: () => number): number {
  const at = Math.floor(clock());
  if (!(Number.isSafeInteger(at) && at >= 0 && at <= lastTime)) {
    throw invalidParameter("the clock", at, "milliseconds since 1970");
  }
  return at;
}
