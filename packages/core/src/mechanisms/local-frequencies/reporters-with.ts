import type { SupportTest } from "./population-share.ts";
import { complement, upperTail } from "./support-tail.ts";

/**
 * How many of the units that reported may have an option that `count` reports support: all m not rejected by either
 * one-sided test of level eachSide of m·Bernoulli(p) + (n − m)·Bernoulli(q). An interval, for the law grows with m.
 */
export function reportersWith(
  count: number,
  { trials: n, p, q, gap, eachSide }: SupportTest,
): { readonly least: number; readonly most: number } {
  const guess = Math.min(n, Math.max(0, Math.round((count - n * q.yes) / gap)));
  const plausiblyAsMany = (m: number): boolean => upperTail(count, m, p, n - m, q) > eachSide;
  const plausiblyAsFew = (m: number): boolean =>
    upperTail(n - count, m, complement(p), n - m, complement(q)) > eachSide;
  const least = firstTrue(plausiblyAsMany, guess, n);
  const most = n - firstTrue((gone) => plausiblyAsFew(n - gone), n - guess, n);
  // No m may pass both tests where steps are coarse; then the two next to the gap are given.
  return { least: Math.min(least, most), most: Math.max(least, most) };
}

/** The least m in [0, n] from which a rising condition holds, n + 1 where it never does; gallops from a guess. */
function firstTrue(holds: (m: number) => boolean, guess: number, n: number): number {
  let [below, from] = [-1, n + 1];
  let step = Math.max(1, Math.floor(Math.sqrt(n) / 2));
  if (holds(guess)) {
    from = guess;
    for (let m = guess - step; m > below; m -= step, step *= 2) {
      if (!holds(m)) {
        below = m;
        break;
      }
      from = m;
    }
  } else {
    below = guess;
    for (let m = guess + step; m < from; m += step, step *= 2) {
      if (holds(m)) {
        from = m;
        break;
      }
      below = m;
    }
  }
  while (from - below > 1) {
    const middle = Math.floor((from + below) / 2);
    if (holds(middle)) from = middle;
    else below = middle;
  }
  return from;
}
