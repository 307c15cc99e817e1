import { exactAlpha } from "../accuracy/laws/noise-quantile.ts";
import {
  boundedGeometric,
  boundedGeometricErrorBound,
  boundedGeometricEvent,
  boundedGeometricFor,
} from "../mechanisms/geometric/index.ts";
import { type IntegerInput, integerOf, type RationalInput } from "../numeric/exact-input.ts";
import { gridFor, positiveOf } from "./grid.ts";
import { lossOf, type Means, type NoisyInteger } from "./noisy-number.ts";

/** A whole number of a public range, and its budget. */
export interface GeometricSetting {
  readonly lo: IntegerInput;
  readonly hi: IntegerInput;
  /** The most by which one privacy unit moves the number; 1 unless stated. */
  readonly sensitivity?: IntegerInput;
  readonly epsilon: RationalInput;
}

const whole = gridFor({ sensitivity: 1 });

/** The truncated geometric mechanism, from given coins. Errors: parameter.invalid unless lo ≤ hi ≤ lo + 2^20, sensitivity ≥ 1 and ε > 0. */
export function calibratedGeometric(setting: GeometricSetting, { price, bits }: Means): NoisyInteger {
  const parameters = boundedGeometricFor({
    lo: integerOf(setting.lo, "lo"),
    hi: integerOf(setting.hi, "hi"),
    sensitivity: integerOf(setting.sensitivity ?? 1n, "sensitivity"),
    epsilon: positiveOf(setting.epsilon, "epsilon"),
  });
  const event = boundedGeometricEvent(parameters);
  const draw = boundedGeometric(parameters);
  return {
    event,
    loss: lossOf<"pure">(price, event, { measure: "pure" }),
    release: (exact) => whole.value(draw(whole.place(exact, "value"), bits)),
    errorBound: (confidence) =>
      whole.distance(boundedGeometricErrorBound(parameters, exactAlpha(confidence))),
  };
}
