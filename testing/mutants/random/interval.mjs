import { logLowerTail } from "../../../bench/binomial.mjs";

/**
 * The Clopper–Pearson interval of a share: k of n seen, each end missed with chance at most 2.5 %. Clopper & Pearson 1934.
 * @example shareInterval(50, 58) // => [0.7462…, 0.9388…]
 */
export function shareInterval(k, n) {
  const lower = k === 0 ? 0 : 1 - upperEnd(n - k, n);
  const upper = k === n ? 1 : upperEnd(k, n);
  return [lower, upper];
}

/** The p at which k or fewer of n have chance 2.5 %. */
function upperEnd(k, n) {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (logLowerTail(n, middle, k) > Math.log(0.025)) low = middle;
    else high = middle;
  }
  return high;
}
