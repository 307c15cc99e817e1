import { invalidParameter } from "../errors/lethe-error.ts";
import { parseRational, type Rational, ratio } from "./rational.ts";

/** A number as a caller writes it: an exact rational, a whole bigint, a double that stands for its shortest decimal, or a decimal text. */
export type RationalInput = Rational | bigint | number | string;
/** A whole number as a caller writes it. */
export type IntegerInput = bigint | number | string;

/**
 * Returns the exact rational that a caller wrote. A double counts as the shortest decimal that JavaScript prints for it, so 0.1 is 1/10 and not
 * the binary fraction beside it; `fromDouble` gives that fraction.
 * Errors: parameter.invalid for NaN, ±Infinity, a text that is no number, a rational whose denominator is not above 0, and anything else.
 * @example rationalOf(0.1, "epsilon") // => 1/10
 */
export function rationalOf(input: RationalInput, name: string): Rational {
  if (typeof input === "string") return parseRational(input, name);
  if (typeof input === "number" || typeof input === "bigint") return parseRational(String(input), name);
  if (typeof input?.num === "bigint" && typeof input.den === "bigint") {
    if (input.den <= 0n)
      throw invalidParameter(name, `${input.num}/${input.den}`, "a number with a denominator above 0");
    return ratio(input.num, input.den);
  }
  throw invalidParameter(name, input === null ? "null" : typeof input, "a number");
}

/**
 * Returns the whole number that a caller wrote.
 * Errors: parameter.invalid for a double beyond 2^53, a fraction, and as {@link rationalOf}.
 * @example integerOf(3, "l1") // => 3n
 */
export function integerOf(input: IntegerInput, name: string): bigint {
  if (typeof input === "bigint") return input;
  const { num, den } = rationalOf(input, name);
  if (den !== 1n) throw invalidParameter(name, input, "a whole number");
  if (typeof input === "number" && !Number.isSafeInteger(input)) {
    throw invalidParameter(name, input, "a whole number of at most 2^53, or a bigint");
  }
  return num;
}
