import { type Chance, complement, upperTail } from "./support-tail.ts";

/** The parameters of an interval, besides the count of supporting reports. */
export interface SupportTest {
  readonly trials: number;
  /** The chances that a report supports the option: p for a unit that has it, q for one that has not. */
  readonly p: Chance;
  readonly q: Chance;
  /** p − q, rounded up: never 0. */
  readonly gap: number;
  /** The chance that may fall beyond either end. */
  readonly eachSide: number;
}

const finest = 2 ** -40;

/**
 * The shares θ of a population that are not rejected when `count` of n units drawn from it support the option: each does
 * with chance q + θ·(p − q) (Clopper & Pearson 1934). Ends are moved outward by at most 2^−39.
 */
export function populationShare(
  count: number,
  { trials: n, p, q, eachSide }: SupportTest,
): { readonly low: number; readonly high: number } {
  const mixed = (share: number): Chance => ({
    yes: share * p.yes + (1 - share) * q.yes,
    no: share * p.no + (1 - share) * q.no,
  });
  const low = lastFalse((share) => upperTail(count, n, mixed(share), 0, q) > eachSide);
  const high = 1 - lastFalse((less) => upperTail(n - count, n, complement(mixed(1 - less)), 0, q) > eachSide);
  return { low: Math.max(0, low - finest), high: Math.min(1, high + finest) };
}

/** A share at which a rising condition does not hold yet, at most 2^−40 below where it begins; 0 or 1 at the ends. */
function lastFalse(holds: (share: number) => boolean): number {
  if (holds(0)) return 0;
  let [below, from] = [0, 1];
  while (from - below > finest) {
    const middle = (from + below) / 2;
    if (holds(middle)) from = middle;
    else below = middle;
  }
  return below;
}
