// Exact binomial tails, for how sure a share of so many runs makes one.

/** ln P[Bin(n, p) ≤ k], summed from the largest term down. */
export function logLowerTail(n, p, k) {
  if (k < 0) return Number.NEGATIVE_INFINITY;
  if (k >= n) return 0;
  let log =
    logFactorial(n) - logFactorial(k) - logFactorial(n - k) + k * Math.log(p) + (n - k) * Math.log1p(-p);
  const first = log;
  let total = 1;
  // P[i − 1]/P[i] = i·(1 − p)/((n − i + 1)·p), which falls with i.
  for (let i = k; i > 0; i -= 1) {
    log += Math.log(i / (n - i + 1)) + Math.log1p(-p) - Math.log(p);
    const term = Math.exp(log - first);
    total += term;
    if (i < n * p && term < 1e-18 * total) break;
  }
  return Math.min(0, first + Math.log(total));
}

/**
 * The fewest runs, a multiple of 100, of which less than `floor` are right with chance at most `alarm` though each is right
 * with chance `p` > floor.
 * @example enoughRuns(0.95, 0.935, 1e-8)
 */
export function enoughRuns(p, floor, alarm) {
  const falseAlarm = (n) => logLowerTail(n, p, Math.ceil(floor * n - 1e-9) - 1);
  let runs = 100;
  while (falseAlarm(runs) > Math.log(alarm)) runs += 100;
  return runs;
}

/** The most right answers of n that refute a chance of `p` of being right, at a false alarm of `alarm`; −1 where none do. */
export function refutedUpTo(n, p, alarm) {
  let k = -1;
  while (logLowerTail(n, p, k + 1) <= Math.log(alarm)) k += 1;
  return k;
}

const known = [0];

function logFactorial(n) {
  for (let i = known.length; i <= n; i += 1) known.push(known[i - 1] + Math.log(i));
  return known[n];
}
