import { checkCount, checkRate } from "./subsampled-epsilon.ts";

/**
 * Relative error of {@link binomialMass}, generously. Its exponent is at most 745, so k lies within about 40 standard
 * deviations ≤ 20√n of the mean, whose last place weighs as much as that distance.
 */
export function binomialError(n: number): number {
  return 1e-11 + 2e-14 * Math.sqrt(n);
}

/** ln n! − (n + ½)ln n + n − ½ ln 2π for whole n ≥ 1: below 16 from the sum, then Stirling's series. */
function stirlingRest(n: number): number {
  if (n < 16) {
    let product = 1;
    for (let k = 2; k <= n; k += 1) product *= k;
    return Math.log(product) - (n + 0.5) * Math.log(n) + n - 0.5 * Math.log(2 * Math.PI);
  }
  const s = n * n;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * s)) / s) / s) / s) / n;
}

/** x·ln(x/mean) + mean − x, without cancellation near x = mean (Loader 2000). */
function deviance(x: number, mean: number): number {
  const difference = x - mean;
  if (!(Math.abs(difference) < 0.1 * (x + mean))) return x * Math.log(x / mean) - difference;
  const v = difference / (x + mean);
  let total = difference * v;
  let term = 2 * x * v;
  for (let j = 1; j < 1000; j += 1) {
    term *= v * v;
    const next = total + term / (2 * j + 1);
    if (next === total) break;
    total = next;
  }
  return total;
}

/**
 * P[Bin(n, p) = k] for p in (0, 1), with 1 − p given apart so that it keeps its digits; a relative error below
 * {@link binomialError}, down to underflow.
 * @example binomialMass(3, 10, 0.5, 0.5) // => 0.1171875
 */
export function binomialMass(k: number, n: number, p: number, q: number): number {
  if (k < 0 || k > n) return 0;
  if (k === 0) return Math.exp(n * (p < 0.5 ? Math.log1p(-p) : Math.log(q)));
  if (k === n) return Math.exp(n * (q < 0.5 ? Math.log1p(-q) : Math.log(p)));
  const exponent =
    stirlingRest(n) - stirlingRest(k) - stirlingRest(n - k) - deviance(k, n * p) - deviance(n - k, n * q);
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * k * (n - k)));
}

/**
 * An upper bound of P[Bin(n, p) > limit]: terms are added until they fall, then a geometric series covers the rest. It is
 * 1 where the limit does not exceed the mean.
 * Source: ratios of neighbouring masses fall (./truncated-poisson.proof.md).
 * Direction: upper.
 * Errors: parameter.invalid unless n and limit are whole numbers ≥ 0 and p is in [0, 1].
 * @example binomialTail(60000, 256 / 60000, 400) // => about 1.7e-17
 */
export function binomialTail(n: number, p: number, limit: number): number {
  checkCount("population", n, 0);
  checkCount("limit", limit, 0);
  checkRate(p);
  if (limit >= n || p === 0) return 0;
  if (p === 1 || limit + 1 <= n * p) return 1;
  const odds = p / (1 - p);
  let k = limit + 1;
  let term = binomialMass(k, n, p, 1 - p);
  // The whole tail is at most n ≤ 2^53 such terms.
  if (!(term > 1e-290)) return 1e-270;
  let total = 0;
  for (let step = 0; step < 8192 && k < n; step += 1) {
    total += term;
    term *= ((n - k) / (k + 1)) * odds;
    k += 1;
    if (term < total * 1e-14) break;
  }
  // From k on each ratio is at most the present one, which is below 1 beyond the mean.
  const ratio = k < n ? ((n - k) / (k + 1)) * odds * (1 + 1e-12) : 0;
  const rest = ratio < 1 ? term / (1 - ratio) : Number.POSITIVE_INFINITY;
  return Math.min(1, (total + rest) * (1 + 2 * binomialError(n)));
}
