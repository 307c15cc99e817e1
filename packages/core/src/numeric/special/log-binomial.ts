import { stirlingError } from "./log-gamma.ts";

/**
 * log of the binomial coefficient C(n, k) for integers 0 ≤ k ≤ n (−∞ outside), relative error below 4e-14: no difference of
 * large logarithms is taken, so it stays accurate for n = 10^9.
 * @example logBinomial(5, 2) // => 2.302585092994046
 */
export function logBinomial(n: number, k: number): number {
  if (!(k >= 0 && k <= n)) return Number.NEGATIVE_INFINITY;
  const low = Math.min(k, n - k);
  if (low <= 24) {
    let product = 1;
    let log = 0;
    for (let i = 0; i < low; i++) {
      product *= (n - i) / (i + 1);
      if (product > 1e200) {
        log += Math.log(product);
        product = 1;
      }
    }
    return log + Math.log(product);
  }
  const rest = n - k;
  const entropy = k * Math.log(n / k) + rest * Math.log(n / rest);
  const corrections = stirlingError(n) - stirlingError(k) - stirlingError(rest);
  return entropy + 0.5 * Math.log(n / k / rest / (2 * Math.PI)) + corrections;
}

/**
 * log P[X = k] for X binomial of n trials with success probability p and failure probability q = 1 − p, each given to full
 * accuracy. Absolute error about 1e-14 + 2^−51·(n·p-distances): Loader 2000's saddle-point form, every term small where the
 * mass is not.
 * @example Math.exp(logBinomialMass(4, 2, 0.5, 0.5)) // => 0.375
 */
export function logBinomialMass(n: number, k: number, p: number, q: number): number {
  if (!(k >= 0 && k <= n)) return Number.NEGATIVE_INFINITY;
  if (k === 0) return n * (p < 0.5 ? Math.log1p(-p) : Math.log(q));
  if (k === n) return n * (q < 0.5 ? Math.log1p(-q) : Math.log(p));
  const rest = n - k;
  const corrections = stirlingError(n) - stirlingError(k) - stirlingError(rest);
  const deviance = devianceOf(k, n * p) + devianceOf(rest, n * q);
  return corrections - deviance + 0.5 * Math.log(n / k / rest / (2 * Math.PI));
}

/** x·log(x/m) + m − x ≥ 0, without cancellation near x = m. */
function devianceOf(x: number, m: number): number {
  const t = (x - m) / m;
  if (!(Math.abs(t) < 0.25)) return x * Math.log(x / m) + m - x;
  // (1+t)·log(1+t) − t = Σ_{n≥2} (−t)^n/(n(n−1)).
  let power = t * t;
  let total = 0;
  for (let n = 2; Math.abs(power) > 1e-18 * Math.abs(total) * n; n++) {
    total += (n % 2 === 0 ? power : -power) / (n * (n - 1));
    power *= t;
  }
  return m * total;
}
