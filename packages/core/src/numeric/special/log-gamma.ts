import { invalidParameter } from "../../errors/lethe-error.ts";
import { doubleAt } from "../elements/element-at.ts";

const halfLogTwoPi = 0.9189385332046728;

const stirlingTerms = Float64Array.from([
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
]);

/** The rest of Stirling's formula, Σ B₂ₙ/(2n(2n−1)x^(2n−1)), to 1e-17 for x ≥ 16: seven terms, alternating. */
function stirlingSeries(x: number): number {
  const y = 1 / (x * x);
  let total = 0;
  for (let n = stirlingTerms.length - 1; n >= 0; n--) total = total * y + doubleAt(stirlingTerms, n);
  return total / x;
}

/**
 * log Γ(x) for x > 0: absolute error below 1e-15·max(1, |log Γ(x)|)·4. (Abramowitz & Stegun 6.1.41, shifted above 16.)
 * Errors: parameter.invalid unless x > 0.
 * @example logGamma(0.5) // => 0.5723649429247001
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw invalidParameter("x", x, "> 0");
  if (x === Number.POSITIVE_INFINITY) return x;
  let shifted = x;
  let product = 1;
  while (shifted < 16) {
    product *= shifted;
    shifted += 1;
  }
  return (
    (shifted - 0.5) * Math.log(shifted) - shifted + halfLogTwoPi + stirlingSeries(shifted) - Math.log(product)
  );
}

/** log n! − (n + ½)·log n + n − ½·log 2π for integers n ≥ 1: the error of Stirling's formula, absolute error below 1e-14. */
export function stirlingError(n: number): number {
  if (n >= 16) return stirlingSeries(n);
  let factorial = 1;
  for (let i = 2; i <= n; i++) factorial *= i;
  return Math.log(factorial) - (n + 0.5) * Math.log(n) + n - halfLogTwoPi;
}
