import {
  type Adjacency,
  invalidParameter,
  LetheError,
  parseRational,
  type Rational,
  toDouble,
} from "@lethe/core";
import { compare, one, zero } from "@lethe/core/numeric";

/*
 * Numbers of a command line, exact. Each is refused by the name of its option with its domain: parameter.invalid.
 */

/** @example positive("sigma", "1.1") */
export function positive(name: string, text: string): Rational {
  const value = parseRational(text, name);
  if (!(compare(value, zero) > 0)) throw invalidParameter(name, text, "> 0");
  return value;
}

/** A probability above 0. */
export function rateOf(name: string, text: string): Rational {
  const value = parseRational(text, name);
  if (!(compare(value, zero) > 0 && compare(value, one) <= 0))
    throw invalidParameter(name, text, "above 0 and at most 1");
  return value;
}

export function wholeNumber(name: string, text: string): bigint {
  const value = parseRational(text, name);
  if (value.den !== 1n || value.num < 1n) throw invalidParameter(name, text, "an integer ≥ 1");
  return value.num;
}

/** Doubles below hold fewer digits. */
const leastDelta = 1e-300;

/** The δ of a claim, as the greatest double that does not exceed it: a claim at a smaller δ is the stronger one. */
export function deltaOf(text: string): number {
  const value = parseRational(text, "delta");
  if (!(compare(value, zero) >= 0 && compare(value, one) < 0))
    throw invalidParameter("delta", text, "at least 0 and below 1");
  const double = toDouble(value, "down");
  // Rounded down to 0 it would be another question, whose answer is ∞.
  if (double < leastDelta && compare(value, zero) > 0) {
    throw invalidParameter("delta", text, `0 or at least ${leastDelta}`);
  }
  return double;
}

/** The ε of a claim, rounded as in {@link deltaOf}. */
export function epsilonOf(text: string): number {
  const value = parseRational(text, "epsilon");
  const double = toDouble(value, "down");
  if (!(compare(value, zero) >= 0 && double < Number.MAX_VALUE))
    throw invalidParameter("epsilon", text, "at least 0 and finite");
  return double;
}

/** The width of an ε interval that is aimed at. */
export function accuracyOf(text: string): number {
  return toDouble(positive("accuracy", text), "down");
}

/** A membership advantage that noise can keep to. */
export function advantageOf(text: string): number {
  const value = parseRational(text, "advantage");
  if (!(compare(value, zero) > 0 && compare(value, one) < 0))
    throw invalidParameter("advantage", text, "above 0 and below 1");
  return toDouble(value, "down");
}

export const adjacencies: readonly Adjacency[] = ["add-or-remove-one", "replace-one"];

/** An option that this use of a command cannot do without. Errors: cli.usage, naming it. */
export function needed(name: string, value: string | undefined, why: string): string {
  if (value !== undefined) return value;
  throw new LetheError("cli.usage", `${why} needs --${name}`, { fix: `add --${name} NUMBER` });
}
