import { type IntegerInterval, roundedIntervals, totalIntervals } from "@lethe/core/accuracy";
import type { AnswerSetting } from "./answer-setting.ts";
import type { Estimator } from "./estimator.ts";
import type { Widths } from "./widths.ts";

/** One total by itself, measured or combined: value = total · step. */
export interface Total {
  readonly measurement: string;
  readonly step: number;
}

/** Returns the estimator of a count or a sum: one total with the sign that it must have. */
export function totalEstimator({ measurement, step }: Total, setting: AnswerSetting): Estimator {
  const intervals = intervalsOf(measurement, setting);
  return (noisy) => {
    const { value, lower, upper } = intervals(noisy.total(measurement));
    return { value: Number(value) * step, lower: Number(lower) * step, upper: Number(upper) * step };
  };
}

/** Returns the width of a count or a sum: it is the same whatever the group's size. */
export function totalWidths({ measurement, step }: Total, setting: AnswerSetting): Widths {
  const anySign = { ...setting, signsOf: () => ({}) };
  const { upper } = intervalsOf(measurement, anySign)(0n);
  return { halfWidth: Number(upper) * step, widthAt: null, bounds: null };
}

function intervalsOf(total: string, setting: AnswerSetting): (noisy: bigint) => IntegerInterval {
  const { confidence } = setting;
  const parts = setting.partsOf(total);
  const [only, ...others] = parts;
  if (only && only.weight === 1 && others.length === 0)
    return totalIntervals({ noise: only.noise, confidence, ...setting.signsOf(total) });
  return roundedIntervals({
    noises: parts.map(({ noise }) => noise),
    weights: parts.map(({ weight }) => weight),
    confidence,
    ...setting.signsOf(total),
  });
}
