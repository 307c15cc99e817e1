import {
  stddevHalfWidths,
  stddevIntervals,
  type VarianceSetting,
  varianceHalfWidths,
  varianceIntervals,
} from "@lethe/core/accuracy";
import type { AnswerSetting } from "../answers/answer-setting.ts";
import { type Estimator, scaledEstimate } from "../answers/estimator.ts";
import { scaledWidths, type Widths } from "../answers/widths.ts";
import type { PlannedSpread } from "./spread-types.ts";

/** Returns the setting with which core puts an interval on a planned variance or standard deviation. Grid units (variance: squared). */
function varianceSetting(planned: PlannedSpread, setting: AnswerSetting): VarianceSetting {
  return {
    half: BigInt(planned.half),
    offset: BigInt(planned.offset),
    squaresNoise: setting.noiseOf(planned.squares),
    sumNoise: setting.noiseOf(planned.sum),
    countNoise: setting.noiseOf(planned.count),
    population: planned.population,
    confidence: setting.confidence,
  };
}

export function spreadEstimator(planned: PlannedSpread, setting: AnswerSetting): Estimator {
  const { kind, squares, sum, count, exponent } = planned;
  const noises = varianceSetting(planned, setting);
  const intervals = kind === "variance" ? varianceIntervals(noises) : stddevIntervals(noises);
  const step = 2 ** (kind === "variance" ? 2 * exponent : exponent);
  return (noisy) => {
    const measured = { squares: noisy.total(squares), sum: noisy.total(sum), count: noisy.total(count) };
    return scaledEstimate(intervals(measured), step, 0);
  };
}

export function spreadWidths(planned: PlannedSpread, setting: AnswerSetting): Widths {
  const step = 2 ** planned.exponent;
  const noises = varianceSetting(planned, setting);
  // The sample variance of two values at the two bounds is twice the population's.
  const greatest = Number(planned.half) * step * (planned.population ? 1 : Math.SQRT2);
  return planned.kind === "variance"
    ? {
        halfWidth: null,
        widthAt: scaledWidths(varianceHalfWidths(noises), step * step),
        bounds: [0, greatest * greatest],
      }
    : { halfWidth: null, widthAt: scaledWidths(stddevHalfWidths(noises), step), bounds: [0, greatest] };
}
