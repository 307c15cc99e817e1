export { membershipAdvantage } from "../conversions/membership-advantage.ts";
export * from "./calculators/index.ts";
export * from "./counting-error.ts";
export {
  type AverageMeasured,
  type AverageSetting,
  averageInterval,
  averageIntervals,
} from "./intervals/average-interval.ts";
export type { ConfidenceInterval } from "./intervals/confidence-interval.ts";
export * from "./intervals/correlation-interval.ts";
export * from "./intervals/covariance-interval.ts";
export * from "./intervals/half-widths.ts";
export * from "./intervals/intercept-interval.ts";
export { type LinearSetting, linearIntervals, mostNoises } from "./intervals/linear-interval.ts";
export { type RatioSetting, ratioIntervals } from "./intervals/ratio-interval.ts";
export { type RoundedSetting, roundedIntervals } from "./intervals/rounded-interval.ts";
export {
  type SharedAverageMeasured,
  type SharedAverageSetting,
  sharedAverageIntervals,
} from "./intervals/shared-average-interval.ts";
export * from "./intervals/slope-interval.ts";
export * from "./intervals/total-interval.ts";
export * from "./intervals/variance-interval.ts";
export type { AddedNoise, NoiseMix, NoiseSum } from "./laws/added-noise.ts";
export { laplaceSumQuantile, laplaceSumTail } from "./laws/laplace-sum-law.ts";
export { noiseQuantile, noiseQuantileRange } from "./laws/noise-quantile.ts";
export { addedUp, mixedNoise } from "./laws/noise-sum-law.ts";
export { noiseSumQuantile, type WeightedQuantile } from "./laws/noise-sum-quantile.ts";
export { noiseVariance } from "./laws/noise-variance.ts";
export type { QuantileRange } from "./laws/quantile-range.ts";
export { simultaneousQuantile } from "./laws/simultaneous-quantile.ts";
export * from "./max-norm-error.ts";
export { cellHalfWidths } from "./quantile-tree/cell-half-widths.ts";
export {
  type CellQuantile,
  type CellQuantileSetting,
  cellQuantiles,
} from "./quantile-tree/cell-quantiles.ts";
export { type ShareErrorBound, shareErrorBound } from "./quantile-tree/share-error-bound.ts";
