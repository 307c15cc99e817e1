export type { AddedNoise, NoiseMix, NoiseSum } from "./added-noise.ts";
export {
  type AverageMeasured,
  type AverageSetting,
  averageInterval,
  averageIntervals,
} from "./average-interval.ts";
export * from "./calculators/index.ts";
export { cellHalfWidths } from "./cell-half-widths.ts";
export { type CellQuantile, type CellQuantileSetting, cellQuantiles } from "./cell-quantiles.ts";
export type { ConfidenceInterval } from "./confidence-interval.ts";
export * from "./correlation-interval.ts";
export * from "./counting-error.ts";
export * from "./covariance-interval.ts";
export * from "./half-widths.ts";
export * from "./intercept-interval.ts";
export { laplaceSumQuantile, laplaceSumTail } from "./laplace-sum-law.ts";
export { type LinearSetting, linearIntervals, mostNoises } from "./linear-interval.ts";
export * from "./max-norm-error.ts";
export * from "./membership-advantage.ts";
export { noiseQuantile } from "./noise-quantile.ts";
export { addedUp, mixedNoise } from "./noise-sum-law.ts";
export { noiseSumQuantile, type WeightedQuantile } from "./noise-sum-quantile.ts";
export { noiseVariance } from "./noise-variance.ts";
export { type RatioSetting, ratioIntervals } from "./ratio-interval.ts";
export { type ShareReach, shareReach } from "./share-reach.ts";
export { simultaneousQuantile } from "./simultaneous-quantile.ts";
export * from "./slope-interval.ts";
export * from "./total-interval.ts";
export * from "./variance-interval.ts";
