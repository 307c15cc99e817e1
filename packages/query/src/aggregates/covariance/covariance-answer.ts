import {
  type CovarianceSetting,
  covarianceHalfWidths,
  covarianceIntervals,
  type VarianceSetting,
  varianceHalfWidths,
  varianceIntervals,
} from "@lethe/core/accuracy";
import type { AnswerSetting } from "../answers/answer-setting.ts";
import { type Estimator, scaledEstimate } from "../answers/estimator.ts";
import { scaledWidths, type Widths } from "../answers/widths.ts";
import type { PlannedCovariance } from "./covariance-types.ts";

/** Returns the setting with which core puts an interval on a planned covariance. Products of grid units. */
function covarianceSetting(planned: PlannedCovariance, setting: AnswerSetting): CovarianceSetting {
  return {
    half: BigInt(planned.half),
    otherHalf: BigInt(planned.otherHalf),
    productsNoise: setting.noiseOf(planned.products),
    sumNoise: setting.noiseOf(planned.sum),
    otherSumNoise: setting.noiseOf(planned.otherSum),
    countNoise: setting.noiseOf(planned.count),
    population: planned.population,
    confidence: setting.confidence,
  };
}

/**
 * Returns the same for the covariance of a column with itself, null for any other. The sum is measured once, so its noise is one
 * draw and not two, and the covariance is a variance whose squares are counted from 0.
 */
function selfCovarianceSetting(planned: PlannedCovariance, setting: AnswerSetting): VarianceSetting | null {
  if (planned.sum !== planned.otherSum) return null;
  const { productsNoise, ...rest } = covarianceSetting(planned, setting);
  return { ...rest, squaresNoise: productsNoise, offset: 0n };
}

export function covarianceEstimator(planned: PlannedCovariance, setting: AnswerSetting): Estimator {
  const unit = 2 ** planned.exponent;
  const self = selfCovarianceSetting(planned, setting);
  if (self) {
    const variances = varianceIntervals(self);
    return (noisy) => {
      const [squares, sum] = [noisy.total(planned.products), noisy.total(planned.sum)];
      return scaledEstimate(variances({ squares, sum, count: noisy.total(planned.count) }), unit, 0);
    };
  }
  const intervals = covarianceIntervals(covarianceSetting(planned, setting));
  return (noisy) =>
    scaledEstimate(
      intervals({
        products: noisy.total(planned.products),
        sum: noisy.total(planned.sum),
        otherSum: noisy.total(planned.otherSum),
        count: noisy.total(planned.count),
      }),
      unit,
      0,
    );
}

export function covarianceWidths(planned: PlannedCovariance, setting: AnswerSetting): Widths {
  const unit = 2 ** planned.exponent;
  const most = Number(planned.half) * Number(planned.otherHalf) * unit;
  const greatest = planned.population ? most : 2 * most;
  const self = selfCovarianceSetting(planned, setting);
  return {
    halfWidth: null,
    widthAt: scaledWidths(
      self ? varianceHalfWidths(self) : covarianceHalfWidths(covarianceSetting(planned, setting)),
      unit,
    ),
    bounds: [-greatest, greatest],
  };
}
