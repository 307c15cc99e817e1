import { totalIntervals } from "@lethe/core/accuracy";
import type { Estimator } from "@lethe/query";
import type { AnswerSetting } from "@lethe/query/aggregates";
import type { PlannedSkewness } from "./skewness-types.ts";

type Range = readonly [number, number];

const everywhere: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/**
 * Returns the estimator of a skewness. Each of the four totals has an interval of its own at 1 − (1 − confidence)/4, so that all
 * hold at once (Bonferroni); the interval is all that the formula can be within them, and everything where they allow no spread.
 */
export function skewnessEstimator(planned: PlannedSkewness, setting: AnswerSetting): Estimator {
  const measured = [planned.cubes, planned.squares, planned.sum, planned.count];
  const confidence = 1 - (1 - setting.confidence) / measured.length;
  const intervals = measured.map((name) => ({
    name,
    interval: totalIntervals({ noise: setting.noiseOf(name), confidence }),
  }));
  const offset = Number(planned.offset);
  return (noisy) => {
    const totals = measured.map((name) => Number(noisy.total(name)));
    const [value] = skewnessOf(...asRanges(totals.map((total) => [total, total])), offset);
    const ranges = intervals.map(({ name, interval }): Range => {
      const { lower, upper } = interval(noisy.total(name));
      return [Number(lower), Number(upper)];
    });
    const [lower, upper] = skewnessOf(...asRanges(ranges), offset);
    return { value: Number.isFinite(value) ? value : 0, lower, upper };
  };
}

function asRanges(ranges: readonly Range[]): readonly [Range, Range, Range, Range] {
  return [ranges[0]!, ranges[1]!, ranges[2]!, ranges[3]!];
}

function skewnessOf(cubes: Range, squares: Range, sum: Range, [least, most]: Range, offset: number): Range {
  if (!(least > 0)) return everywhere;
  const count: Range = [1 / most, 1 / least];
  const [first, third] = [times(sum, count), times(cubes, count)];
  const second = plus(times(squares, count), [offset, offset]);
  const squared = times(first, first);
  const spread = plus(second, times([-1, -1], squared));
  if (!(spread[0] > 0)) return everywhere;
  const above = plus(
    plus(third, times([-3, -3], times(first, second))),
    times([2, 2], times(squared, first)),
  );
  return times(above, [spread[1] ** -1.5, spread[0] ** -1.5]);
}

function plus([a, b]: Range, [c, d]: Range): Range {
  return [a + c, b + d];
}

function times([a, b]: Range, [c, d]: Range): Range {
  const products = [a * c, a * d, b * c, b * d];
  return [Math.min(...products), Math.max(...products)];
}
