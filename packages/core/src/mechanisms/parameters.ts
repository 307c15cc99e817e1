import { invalidParameter } from "../errors/lethe-error.ts";
import { compare, equals, one, parseRational, type Rational, sum, zero } from "../numeric/rational.ts";

/** Reads a rational > 0. Errors: parameter.invalid. */
export function positive(text: string, name: string): Rational {
  const value = parseRational(text, name);
  if (!(compare(value, zero) > 0)) throw invalidParameter(name, text, "> 0");
  return value;
}

/** Reads a rational ≥ 0. Errors: parameter.invalid. */
export function notNegative(text: string, name: string): Rational {
  const value = parseRational(text, name);
  if (!(compare(value, zero) >= 0)) throw invalidParameter(name, text, "≥ 0");
  return value;
}

/** Reads a rational in [0, 1]. Errors: parameter.invalid. */
export function probability(text: string, name: string): Rational {
  const value = parseRational(text, name);
  if (!(compare(value, zero) >= 0 && compare(value, one) <= 0)) {
    throw invalidParameter(name, text, "at least 0 and at most 1");
  }
  return value;
}

/** Reads probabilities that sum to 1 exactly. Errors: parameter.invalid. */
export function distribution(texts: readonly string[], name: string): readonly Rational[] {
  const values = texts.map((text) => probability(text, name));
  if (!equals(sum(values), one)) throw invalidParameter(name, "numbers of another sum", "of sum 1 exactly");
  return values;
}

/** Reads an integer ≥ least. Errors: parameter.invalid. */
export function integer(text: string, name: string, least: bigint): bigint {
  const value = parseRational(text, name);
  if (!(value.den === 1n && value.num >= least)) {
    throw invalidParameter(name, text, `an integer ≥ ${least}`);
  }
  return value.num;
}
