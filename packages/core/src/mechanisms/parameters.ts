import { invalidParameter } from "../errors/lethe-error.ts";
import { compare, parseRational, type Rational, zero } from "../numeric/rational.ts";

/** Reads a rational > 0. Errors: parameter.invalid. */
export function positive(text: string, name: string): Rational {
  const value = parseRational(text, name);
  if (!(compare(value, zero) > 0)) throw invalidParameter(name, text, "> 0");
  return value;
}

/** Reads an integer ≥ least. Errors: parameter.invalid. */
export function integer(text: string, name: string, least: bigint): bigint {
  const value = parseRational(text, name);
  if (!(value.den === 1n && value.num >= least)) {
    throw invalidParameter(name, text, `an integer ≥ ${least}`);
  }
  return value.num;
}
