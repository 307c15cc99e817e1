import { invalidParameter } from "../errors/lethe-error.ts";
import {
  add,
  compare,
  equals,
  one,
  parseRational,
  type Rational,
  toText,
  zero,
} from "../numeric/rational.ts";

/** The longest list of outcomes or of parts. */
const maxListLength = 10_000;
const maxDenominator = 1n << 8192n;

/** The fields of a JSON object, before they are checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a JSON object. Errors: parameter.invalid. */
export function record(json: unknown, what: string): Fields {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw invalidParameter(what, json, "a JSON object");
  }
  return json as Fields;
}

/** Refuses fields other than these. Errors: parameter.invalid. */
export function only(fields: Fields, known: readonly string[], what: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalidParameter(what, unknown, `made of ${known.join(", ")} alone`);
}

/** A number, written as a text. Errors: parameter.invalid. */
export function rational(fields: Fields, name: string): Rational {
  const text = fields[name];
  if (typeof text !== "string") throw invalidParameter(name, text, "a number as a text");
  return parseRational(text, name);
}

/** A number > 0, as a text. Errors: parameter.invalid. */
export function positive(fields: Fields, name: string): string {
  const value = rational(fields, name);
  if (!(compare(value, zero) > 0)) throw invalidParameter(name, fields[name], "> 0");
  return toText(value);
}

/** A number ≥ 0, as a text. Errors: parameter.invalid. */
export function notNegative(fields: Fields, name: string): string {
  const value = rational(fields, name);
  if (!(compare(value, zero) >= 0)) throw invalidParameter(name, fields[name], "≥ 0");
  return toText(value);
}

/** A number from 0 to 1, as a text. Errors: parameter.invalid. */
export function fraction(fields: Fields, name: string): string {
  const value = rational(fields, name);
  if (!(compare(value, zero) >= 0 && compare(value, one) <= 0)) {
    throw invalidParameter(name, fields[name], "at least 0 and at most 1");
  }
  return toText(value);
}

/** A number above 0 and below 1, as a text. Errors: parameter.invalid. */
export function between(fields: Fields, name: string): string {
  const value = rational(fields, name);
  if (!(compare(value, zero) > 0 && compare(value, one) < 0)) {
    throw invalidParameter(name, fields[name], "above 0 and below 1");
  }
  return toText(value);
}

/** A number of units that another number of units bounds: an integer from 1 to it. */
export function part(fields: Fields, name: string, of: string): string {
  const text = integer(fields, name, 1n);
  if (BigInt(text) > BigInt(integer(fields, of, 1n))) throw invalidParameter(name, text, `at most ${of}`);
  return text;
}

/** Returns a list of 1 to 10,000 entries. Errors: parameter.invalid. */
export function list(json: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(json) || json.length === 0 || json.length > maxListLength) {
    throw invalidParameter(name, json, `a list of 1 to ${maxListLength} entries`);
  }
  return json;
}

const mechanismName = /^[a-z0-9-]{1,40}$/;

/** The name of the mechanism that this is of, where it is given. Errors: parameter.invalid. */
export function nameOf(fields: Fields): { readonly of?: string } {
  const { of } = fields;
  if (of === undefined) return {};
  if (typeof of !== "string" || !mechanismName.test(of)) {
    throw invalidParameter("of", of, "1 to 40 lower-case letters, digits and hyphens");
  }
  return { of };
}

/** Numbers ≥ 0 that sum to 1 exactly. The sum's denominator is capped, so that untrusted fractions cost a bounded time. */
export function checkWeights(values: readonly Rational[], name: string): void {
  let total = zero;
  for (const value of values) {
    if (!(compare(value, zero) >= 0)) throw invalidParameter(name, toText(value), "≥ 0");
    total = add(total, value);
    if (total.den > maxDenominator)
      throw invalidParameter(name, "fractions", "of a common denominator below 2^8192");
  }
  if (!equals(total, one)) throw invalidParameter(name, "numbers of another sum", "of sum 1 exactly");
}

/** Numbers ≥ 0 that sum to 1, as texts. Errors: parameter.invalid. */
export function probabilities(fields: Fields, name: string): readonly string[] {
  const values = list(fields[name], name).map((value) => rational({ [name]: value }, name));
  checkWeights(values, name);
  return values.map(toText);
}

/** An integer, as a text. Errors: parameter.invalid. */
export function integer(fields: Fields, name: string, least: bigint): string {
  const value = rational(fields, name);
  if (value.den !== 1n || value.num < least) {
    throw invalidParameter(name, fields[name], `an integer ≥ ${least}`);
  }
  return toText(value);
}
