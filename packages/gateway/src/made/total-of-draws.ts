import { invalidParameter } from "@lethe/core";
import { linearIntervals, mixedNoise, totalIntervals } from "@lethe/core/accuracy";
import { byName, type Plan, possibleSigns, totalParts } from "@lethe/query";
import type { Estimate } from "../release.ts";
import type { MadeNumber, MadeTotal } from "./making.ts";

/** So many released numbers of one total: groups that are added up, of releases whose mean is taken. */
export interface Draws {
  readonly groups: number;
  readonly releases: number;
}

/**
 * Returns how far the sum of so many released integers of a total may be off, in its grid's units: the true sum lies within ± that with the confidence. All have independent noise of one
 * law, so their sum has the law of a sum of that many draws. A total that is read from several measurements is rounded in each release and group, which adds half a unit
 * a number at most.
 * Source: the law of a sum of the noises that are drawn (Birnbaum 1948; Anderson 1955); the triangle inequality for rounding.
 * Direction: upper, coverage never below what is asked.
 */
export function reachOfDraws(
  plan: Plan,
  total: string,
  { groups, releases }: Draws,
  confidence: number,
): number {
  const draws = groups * releases;
  const parts = totalParts(plan, total);
  const noises = parts.map(({ measurement }) =>
    mixedNoise([{ draws, of: byName(plan.measurements, measurement).noise }]),
  );
  const weights = parts.map(({ weight }) => weight);
  const [noise, ...others] = noises;
  if (noise && others.length === 0 && weights[0] === 1)
    return Number(totalIntervals({ noise, confidence })(0n).upper);
  const { upper } = linearIntervals({ noises, weights, constant: 0, confidence })(noises.map(() => 0n));
  return Math.floor(weights.every(Number.isInteger) ? upper : upper * (1 + 2 ** -50) + draws / 2);
}

/**
 * Prepares released values of one total ↦ their sum over groups, as the mean of the releases, and its interval, cut to what is publicly possible. The releases have noise of
 * one law, so that the weights of least variance are equal. Errors: parameter.invalid for a value that is no released integer.
 */
export function meanOfReleases(
  plan: Plan,
  { total, step }: MadeTotal,
  draws: Draws,
  confidence: number,
): (values: readonly number[]) => Estimate {
  const reach = reachOfDraws(plan, total, draws, confidence);
  const { atLeast, atMost } = possibleSigns(plan, total);
  const cut = (x: number): number => {
    if (atLeast !== undefined && x < 0) return 0;
    return atMost !== undefined && x > 0 ? 0 : x;
  };
  const { releases } = draws;
  const shown = (x: number): number => (x / releases) * step + 0;
  return (values) => {
    const sum = Number(values.reduce((all, value) => all + integerOf(value, step), 0n));
    const nearest = cut(sum);
    const centre = Math.abs(nearest - sum) > reach ? nearest : sum;
    return { value: shown(sum), lower: shown(cut(centre - reach)), upper: shown(cut(centre + reach)) };
  };
}

/**
 * Prepares released sums and counts ↦ the average of the rows, the quotient of {@link meanOfReleases} of both. Each of the two intervals misses half as often as is asked, so that both hold at once (Bonferroni), and with them every
 * quotient: the interval, within the bounds of the values. Nothing is known of an average of no rows.
 */
export function quotientOfReleases(
  plan: Plan,
  { sum, count, bounds: [least, most] }: Extract<MadeNumber, { readonly kind: "quotient" }>,
  draws: Draws,
  confidence: number,
): (sums: readonly number[], counts: readonly number[]) => Estimate {
  const each = 1 - (1 - confidence) / 2;
  const [sumOf, countOf] = [sum, count].map((total) => meanOfReleases(plan, total, draws, each));
  const kept = (x: number): number => Math.min(most, Math.max(least, x)) + 0;
  return (sums, counts) => {
    const [above, below] = [sumOf?.(sums), countOf?.(counts)];
    const rows = below?.value ?? 0;
    if (!above || !below || !(rows > 0)) return { value: null, lower: null, upper: null };
    const value = kept(Number(above.value) / rows);
    const [few, many] = [Number(below.lower), Number(below.upper)];
    if (!(few > 0)) return { value, lower: least, upper: most };
    const [low, high] = [Number(above.lower), Number(above.upper)];
    return {
      value,
      lower: kept(low / (low < 0 ? few : many)),
      upper: kept(high / (high < 0 ? many : few)),
    };
  };
}

/** Returns the integer that was released as value = integer · step, which a power of two changes back exactly. */
function integerOf(value: number, step: number): bigint {
  const integer = value / step;
  if (!Number.isSafeInteger(integer))
    throw invalidParameter("a released value", value, "a whole number of steps below 2^53");
  return BigInt(integer);
}
