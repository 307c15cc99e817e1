import {
  type AverageSetting,
  averageHalfWidths,
  averageIntervals,
  type SharedAverageSetting,
  sharedAverageHalfWidths,
  sharedAverageIntervals,
} from "@lethe/core/accuracy";
import { elementAt } from "@lethe/core/numeric";
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

/** The measurements of an average whose sum and count are read from several; null where each is measured itself. */
interface Shared extends SharedAverageSetting {
  readonly measurements: readonly string[];
}

function sharedSetting(planned: PlannedAverage, setting: AnswerSetting): Shared | null {
  const [sum, count] = [setting.partsOf(planned.sum), setting.partsOf(planned.count)];
  const all = [...new Map([...sum, ...count].map((part) => [part.measurement, part.noise]))];
  if (sum.length === 1 && count.length === 1 && all.length === 2) return null;
  const weights = (parts: typeof sum): readonly number[] =>
    all.map(([name]) => parts.find(({ measurement }) => measurement === name)?.weight ?? 0);
  return {
    half: BigInt(planned.half),
    measurements: all.map(([name]) => name),
    noises: all.map(([, noise]) => noise),
    sumWeights: weights(sum),
    countWeights: weights(count),
    confidence: setting.confidence,
  };
}

export function averageEstimator(planned: PlannedAverage, setting: AnswerSetting): Estimator {
  const step = 2 ** planned.exponent;
  const mid = Number(planned.mid);
  const bounds = setting.valuesOf(planned.sum);
  const shared = sharedSetting(planned, setting);
  if (shared) {
    const intervals = sharedAverageIntervals(shared);
    const weighed = (totals: readonly number[], weights: readonly number[]): number =>
      totals.reduce((sum, total, at) => sum + total * elementAt(weights, at), 0);
    const half = Number(planned.half);
    const absolute = shared.sumWeights.map(
      (weight, at) => Math.abs(weight) + half * Math.abs(elementAt(shared.countWeights, at)),
    );
    return (noisy) => {
      const totals = shared.measurements.map((name) => Number(noisy.total(name)));
      const measured = {
        sum: weighed(totals, shared.sumWeights),
        count: weighed(totals, shared.countWeights),
        size: weighed(totals.map(Math.abs), absolute),
      };
      return within(bounds, scaledEstimate(intervals(measured), step, mid));
    };
  }
  const intervals = averageIntervals(averageSetting(planned, setting));
  return (noisy) => {
    const measured = { sum: noisy.total(planned.sum), count: noisy.total(planned.count) };
    return within(bounds, scaledEstimate(intervals(measured), step, mid));
  };
}

export function averageWidths(planned: PlannedAverage, setting: AnswerSetting): Widths {
  const step = 2 ** planned.exponent;
  const [mid, reach] = [Number(planned.mid), Number(planned.half)];
  const shared = sharedSetting(planned, setting);
  const widthAt = shared
    ? sharedAverageHalfWidths(shared)
    : averageHalfWidths(averageSetting(planned, setting));
  return {
    halfWidth: null,
    widthAt: scaledWidths(widthAt, step),
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
