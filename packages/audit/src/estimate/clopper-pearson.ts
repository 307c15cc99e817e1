import { invalidParameter } from "@lethe/core";
import { logBinomialMass, subtractUp } from "@lethe/core/numeric";
import { binomialAtLeast, type Chance } from "./binomial-tail.ts";

/** Returns P[Bin(n, p) ≥ k] for p below k/n, in plain doubles, to find the place that the enclosure then judges. */
function roughly(k: number, n: number, p: number): number {
  let [total, term] = [1, 1];
  for (let j = k; j < n && term > 1e-17 * total; j += 1) {
    term *= ((n - j) / (j + 1)) * (p / (1 - p));
    total += term;
  }
  return Math.exp(logBinomialMass(n, k, p, 1 - p)) * total;
}

/**
 * Returns a confidence interval for the success probability after k successes in n trials: below `lo` a count of k or more, and above `hi` a count of
 * k or fewer, has probability at most alpha. Each end alone is wrong with probability at most alpha, whatever the probability is.
 * Source: Clopper & Pearson 1934.
 * Direction: outward: tails are rounded up.
 * Errors: parameter.invalid unless 0 ≤ k ≤ n are whole, n ≥ 1 and 0 < alpha < 1.
 * @example clopperPearson(0, 100, 0.05).hi // => 0.0295130
 */
export function clopperPearson(k: number, n: number, alpha: number): Chance {
  if (!(alpha > 0 && alpha < 1)) throw invalidParameter("alpha", alpha, "above 0 and below 1");
  if (!(n >= 1)) throw invalidParameter("n", n, "at least 1");
  return { lo: lower(k, n, alpha), hi: subtractUp(1, lower(n - k, n, alpha)) };
}

function lower(k: number, n: number, alpha: number): number {
  if (k === 0) return 0;
  let [low, high] = [0, k / n];
  for (let i = 0; i < 60; i += 1) {
    const middle = low + (high - low) / 2;
    if (roughly(k, n, middle) <= alpha) low = middle;
    else high = middle;
  }
  // Rough is not proof: the enclosure decides, a little further out.
  for (let shrink = 1e-10; shrink < 1; shrink *= 100) {
    const p = low * (1 - shrink);
    if (p < k / n && binomialAtLeast(k, n, p).hi <= alpha) return p;
  }
  return 0;
}
