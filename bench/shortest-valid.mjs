import { shareErrorBound } from "@lethe/core/accuracy";

/** The number of possible [a, b] that are looked at where widths have to be averaged for each. */
const candidates = 200;

/**
 * The mean width of the shortest interval of the form [estimate − b, estimate − a], cut to the public domain, that holds the
 * truth in so many of the releases: [a, b] holds that share of the errors. It is out of reach, since the distribution of the
 * errors depends on the truth. With `shown`, of its image under that growing function: estimates, truth and domain are of what
 * it is taken of. Answers have `raw` where their estimate was cut to the domain.
 */
export function shortestByErrors(answers, truth, [low, high], confidence, shown = (x) => x) {
  const estimates = answers.flatMap(({ value, raw = value }) => (raw === null ? [] : [raw]));
  const errors = estimates.map((estimate) => estimate - truth).sort((x, y) => x - y);
  const held = Math.ceil(confidence * errors.length);
  const windows = errors.slice(0, errors.length - held + 1).map((a, i) => [a, errors[i + held - 1]]);
  const cut = (x) => shown(Math.min(high, Math.max(low, x)));
  const meanWidth = ([a, b]) =>
    estimates.reduce((sum, x) => sum + cut(x - a) - cut(x - b), 0) / estimates.length;
  windows.sort(([a, b], [c, d]) => b - a - (d - c));
  const step = Math.ceil(windows.length / candidates);
  return windows
    .filter((_, i) => i % step === 0)
    .reduce((least, window) => Math.min(least, meanWidth(window)), Number.POSITIVE_INFINITY);
}

/**
 * The same of a quantile, from the first to the last value: every value up to which there are, by the exact counts, as many rows
 * as a quantile would have but for the noise in that one rank, at half of alpha on each side. It is out of reach: nobody
 * knows the exact counts, and which value to test without testing others.
 */
export function shortestByRanks(plan, at, exactTrees, alpha) {
  const { tree, share } = plan.aggregates[at];
  const { noise, branching, height, rowWeight, cellWidth, grid } = plan.trees[tree];
  const reach = shareErrorBound({ branching, height }, noise, share, alpha / 2);
  const counts = exactTrees[tree].at(-1);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const points = Number(BigInt(grid.hi) - BigInt(grid.lo)) + 1;
  const width = Number(cellWidth);
  let before = 0;
  let [first, last] = [null, 0];
  for (const [cell, count] of counts.entries()) {
    const after = before + count;
    const isBelow = share * rows - after - rowWeight * share > reach.at(cell + 1);
    const isAbove = cell > 0 && before - share * rows - rowWeight * (1 - share) > reach.at(cell);
    if (!isBelow && first === null) first = cell;
    if (!isAbove) last = cell;
    before = after;
  }
  return (Math.min(points, (last + 1) * width) - 1 - first * width) * 2 ** grid.exponent;
}
