import { type AverageSetting, averageHalfWidths, averageIntervals } from "@lethe/core/accuracy";
import type { AnswerSetting } from "../answers/answer-setting.ts";
import { type Estimator, type KnownEstimate, scaledEstimate } from "../answers/estimator.ts";
import { scaledWidths, type Widths } from "../answers/widths.ts";
import type { PlannedAverage } from "./average-types.ts";

/** Returns the setting with which core puts an interval on a planned average. Grid units. */
function averageSetting({ half, sum, count }: PlannedAverage, setting: AnswerSetting): AverageSetting {
  return {
    half: BigInt(half),
    sumNoise: setting.noiseOf(sum),
    countNoise: setting.noiseOf(count),
    confidence: setting.confidence,
  };
}

export function averageEstimator(planned: PlannedAverage, setting: AnswerSetting): Estimator {
  const intervals = averageIntervals(averageSetting(planned, setting));
  const step = 2 ** planned.exponent;
  const mid = Number(planned.mid);
  const bounds = setting.valuesOf(planned.sum);
  return (noisy) => {
    const measured = { sum: noisy.total(planned.sum), count: noisy.total(planned.count) };
    return within(bounds, scaledEstimate(intervals(measured), step, mid));
  };
}

export function averageWidths(planned: PlannedAverage, setting: AnswerSetting): Widths {
  const step = 2 ** planned.exponent;
  const [mid, reach] = [Number(planned.mid), Number(planned.half)];
  return {
    halfWidth: null,
    widthAt: scaledWidths(averageHalfWidths(averageSetting(planned, setting)), step),
    bounds: [(mid - reach) * step, (mid + reach) * step],
  };
}

/**
 * Clips an estimate to the bounds. Where the width of the bounds is odd, the middle is half a step off, and mid ± half reaches one step beyond a
 * bound.
 */
function within(
  [least, greatest]: readonly [number, number],
  { value, lower, upper }: KnownEstimate,
): KnownEstimate {
  const clip = (x: number): number => Math.min(Math.max(x, least), greatest);
  return { value: clip(value), lower: clip(lower), upper: clip(upper) };
}
