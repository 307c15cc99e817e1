import { invalidParameter } from "../errors/lethe-error.ts";

/** A few units in the last place, outward: Math.expm1, log1p and exp are within one of the true value. */
const up = 1 + 2 ** -49;

/**
 * ln(1 + q(e^ε − 1)) in doubles, for calculators: the ε of an ε-DP mechanism on a sample that holds a given unit with
 * probability q. Poisson with add-or-remove-one, or without replacement with replace-one; {@link subsampledLoss} is exact.
 * Source: Balle, Barthe & Gaboardi 2018, Thm 8 and 9 (C §3).
 * Direction: upper.
 * Errors: parameter.invalid unless ε ≥ 0 and 0 ≤ q ≤ 1.
 * @example subsampledEpsilon(1, 0.01) // => 0.0170368…
 */
export function subsampledEpsilon(epsilon: number, rate: number): number {
  checkEpsilon(epsilon);
  checkRate(rate);
  if (rate === 0 || epsilon === 0) return 0;
  // Beyond e^500 the sum is written from the other end: ε + ln(q + (1 − q)e^−ε).
  const grown =
    epsilon <= 500
      ? Math.log1p(rate * Math.expm1(epsilon) * up) * up
      : (epsilon + Math.log(Math.min(1, (rate + (1 - rate) * Math.exp(-epsilon)) * up))) * up;
  // A product may underflow.
  return Math.min(epsilon, grown + Number.MIN_VALUE);
}

/**
 * The largest ε (rounded down) with ln(1 + q(e^ε − 1)) ≤ ε′: at which ε a profile is read for its sample at ε′.
 * Source: Balle, Barthe & Gaboardi 2018, Thm 8.
 * Direction: lower.
 */
export function unsampledEpsilon(epsilon: number, rate: number): number {
  checkEpsilon(epsilon);
  checkRate(rate);
  if (rate === 0) return Number.POSITIVE_INFINITY;
  const down = 2 - up;
  const quotient = (Math.expm1(Math.min(epsilon, 500)) / rate) * down;
  if (epsilon <= 500 && quotient < Number.MAX_VALUE) return Math.max(epsilon, Math.log1p(quotient) * down);
  // ln(1 + x/q) ≥ ln x − ln q where the quotient would overflow; ln(e^ε − 1) is ε to every digit beyond 500.
  const grown = (epsilon <= 500 ? Math.log(Math.expm1(epsilon)) : epsilon) - Math.log(rate);
  return Math.max(epsilon, grown - 1e-14 * (1000 + epsilon));
}

export function checkEpsilon(epsilon: number): void {
  if (!(epsilon >= 0 && epsilon < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("epsilon", epsilon, "≥ 0 and finite");
  }
}

export function checkRate(rate: number): void {
  if (!(rate >= 0 && rate <= 1)) throw invalidParameter("rate", rate, "in [0, 1]");
}

/** Errors: parameter.invalid unless n is an integer from `least` to 2^53. */
export function checkCount(name: string, n: number, least: number): void {
  if (!(Number.isSafeInteger(n) && n >= least)) {
    throw invalidParameter(name, n, `an integer from ${least} to 2^53 − 1`);
  }
}
