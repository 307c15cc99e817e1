import { totalIntervals } from "@lethe/core/accuracy";
import type { AnswerSetting } from "./answer-setting.ts";
import type { Estimator } from "./estimator.ts";
import type { Widths } from "./widths.ts";

/** One measurement by itself: value = measurement · step. */
export interface Total {
  readonly measurement: string;
  readonly step: number;
}

/** Returns the estimator of a count or a sum: one measurement with the sign that it must have. */
export function totalEstimator({ measurement, step }: Total, setting: AnswerSetting): Estimator {
  const { confidence } = setting;
  const noise = setting.noiseOf(measurement);
  const intervals = totalIntervals({ noise, confidence, ...setting.signsOf(measurement) });
  return (noisy) => {
    const { value, lower, upper } = intervals(noisy.total(measurement));
    return { value: Number(value) * step, lower: Number(lower) * step, upper: Number(upper) * step };
  };
}

/** Returns the width of a count or a sum: it is the same whatever the group's size. */
export function totalWidths({ measurement, step }: Total, setting: AnswerSetting): Widths {
  const { confidence } = setting;
  const { upper } = totalIntervals({ noise: setting.noiseOf(measurement), confidence })(0n);
  return { halfWidth: Number(upper) * step, widthAt: null, bounds: null };
}
