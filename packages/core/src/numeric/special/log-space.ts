/** log(eᵃ + eᵇ), −∞ standing for log 0; relative error of the sum below 1e-15 for |a|, |b| of moderate size. */
export function logAdd(a: number, b: number): number {
  const high = Math.max(a, b);
  if (!Number.isFinite(high)) return high;
  return high + Math.log1p(Math.exp(Math.min(a, b) - high));
}

/** log(eᵃ − eᵇ) for a ≥ b, written so that it does not cancel; NaN for a < b. */
export function logSubtract(a: number, b: number): number {
  if (b === Number.NEGATIVE_INFINITY) return a;
  return a + logOneMinusExp(b - a);
}

/** log(1 − eˣ) for x ≤ 0, with small relative error at both ends. */
export function logOneMinusExp(x: number): number {
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}

/** log(1 + eˣ) for every x, without overflow. */
export function logOnePlusExp(x: number): number {
  return x > 36 ? x + Math.exp(-x) : Math.log1p(Math.exp(x));
}

/**
 * log Σ e^(xᵢ); −∞ for an empty list.
 * @example logSumExp([1000, 1000]) // => 1000.6931471805599
 */
export function logSumExp(xs: readonly number[]): number {
  let high = Number.NEGATIVE_INFINITY;
  for (const x of xs) if (!(x <= high)) high = x;
  if (!Number.isFinite(high)) return high;
  let total = 0;
  for (const x of xs) total += Math.exp(x - high);
  return high + Math.log(total);
}
