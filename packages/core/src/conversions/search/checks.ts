import { invalidParameter } from "../../errors/lethe-error.ts";

/** Errors: parameter.invalid unless ε ≥ 0 and finite. */
export function checkEpsilon(epsilon: number, name = "epsilon"): number {
  if (!(epsilon >= 0 && epsilon < Number.POSITIVE_INFINITY)) {
    throw invalidParameter(name, epsilon, "≥ 0 and finite");
  }
  return epsilon;
}

/** Errors: parameter.invalid unless 0 ≤ δ < 1. */
export function checkDelta(delta: number, name = "delta"): number {
  if (!(delta >= 0 && delta < 1)) throw invalidParameter(name, delta, "at least 0 and below 1");
  return delta;
}

/** A δ that may not be 0. Errors: parameter.invalid unless 0 < δ < 1. */
export function checkPositiveDelta(delta: number, name = "delta"): number {
  if (!(delta > 0 && delta < 1)) throw invalidParameter(name, delta, "between 0 and 1, both excluded");
  return delta;
}

/** A number of runs. Errors: parameter.invalid unless an integer ≥ 1, at most 2^53. */
export function checkCount(count: number, name = "count"): number {
  if (!(Number.isSafeInteger(count) && count >= 1)) throw invalidParameter(name, count, "an integer ≥ 1");
  return count;
}
