import { totalIntervals } from "@lethe/core/accuracy";
import type { AnswerSetting } from "../answers/answer-setting.ts";
import type { Estimator } from "../answers/estimator.ts";
import type { PlannedSkewness } from "./skewness-types.ts";

type Range = readonly [lo: number, hi: number];

/** The totals, each within a range. */
interface Totals {
  readonly cubes: Range;
  readonly squares: Range;
  readonly sum: Range;
  readonly count: Range;
}

/**
 * Returns the estimator of a sample's skewness. Each of the four totals has an interval of its own at 1 − (1 − confidence)/4, so that all hold at once
 * (Bonferroni); the interval is all that the formula can be within them (interval arithmetic). No skewness of n rows is beyond ±√n, which is all that is known where
 * they allow no spread or too few rows. Source: Wilkins 1944, A Note on Skewness and Kurtosis, Annals of Mathematical Statistics 15: |g₁| ≤ (n − 2)/√(n − 1).
 */
export function skewnessEstimator(planned: PlannedSkewness, setting: AnswerSetting): Estimator {
  const names = ["cubes", "squares", "sum", "count"] as const;
  const confidence = 1 - (1 - setting.confidence) / names.length;
  const intervals = names.map((name) => ({
    name,
    interval: totalIntervals({ noise: setting.noiseOf(planned[name]), confidence }),
  }));
  const offset = Number(planned.offset);
  return (noisy) => {
    const totals = Object.fromEntries(
      names.map((name) => {
        const total = Number(noisy.total(planned[name]));
        return [name, [total, total]];
      }),
    ) as unknown as Totals;
    const ranges = Object.fromEntries(
      intervals.map(({ name, interval }) => {
        const { lower, upper } = interval(noisy.total(planned[name]));
        return [name, [Number(lower), Number(upper)]];
      }),
    ) as unknown as Totals;
    const [least, most] = skewnessOf(totals, offset);
    const [lower, upper] = skewnessOf(ranges, offset);
    // Where the noise leaves no spread, the middle of what may be.
    return { value: (least + most) / 2, lower, upper };
  };
}

/** The fewest rows of which a sample has a skewness. */
const fewest = 3;

function skewnessOf({ cubes, squares, sum, count: [least, most] }: Totals, offset: number): Range {
  const farthest = Math.sqrt(Math.max(most, fewest));
  const all: Range = [-farthest, farthest];
  if (!(least >= fewest)) return all;
  const count: Range = [1 / most, 1 / least];
  const [first, third] = [times(sum, count), times(cubes, count)];
  const second = plus(times(squares, count), [offset, offset]);
  const squared = times(first, first);
  const spread = plus(second, times([-1, -1], squared));
  if (!(spread[0] > 0)) return all;
  const above = plus(
    plus(third, times([-3, -3], times(first, second))),
    times([2, 2], times(squared, first)),
  );
  const ofPopulation = times(above, [spread[1] ** -1.5, spread[0] ** -1.5]);
  // The factor falls with the number of rows.
  const [lower, upper] = times(ofPopulation, [factorOf(most), factorOf(least)]);
  return [Math.max(-farthest, Math.min(lower, farthest)), Math.min(farthest, Math.max(upper, -farthest))];
}

function factorOf(n: number): number {
  return Math.sqrt(n * (n - 1)) / (n - 2);
}

function plus([a, b]: Range, [c, d]: Range): Range {
  return [a + c, b + d];
}

function times([a, b]: Range, [c, d]: Range): Range {
  const products = [a * c, a * d, b * c, b * d];
  return [Math.min(...products), Math.max(...products)];
}
