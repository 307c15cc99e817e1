import { invalidParameter } from "../../errors/lethe-error.ts";

/** A finite number > 0. Errors: parameter.invalid. */
export function checkPositive(name: string, value: number): number {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw invalidParameter(name, value, "> 0 and finite");
  return value;
}

/** A probability that is neither 0 nor 1. Errors: parameter.invalid. */
export function checkChance(name: string, value: number): number {
  if (!(value > 0 && value < 1)) throw invalidParameter(name, value, "between 0 and 1, both excluded");
  return value;
}

/** A whole number ≥ 1. Errors: parameter.invalid. */
export function checkWhole(name: string, value: number): number {
  if (!(Number.isSafeInteger(value) && value >= 1)) throw invalidParameter(name, value, "an integer ≥ 1");
  return value;
}

/** The least whole number that is at least x, up to the last digit of x. Errors: parameter.invalid beyond 2^53. */
export function wholeAtLeast(x: number): number {
  const near = Math.round(x);
  const n = Math.max(1, near >= x * (1 - 1e-15) ? near : near + 1);
  if (!(n <= Number.MAX_SAFE_INTEGER)) throw invalidParameter("records", n, "at most 2^53: ask for less");
  return n;
}
