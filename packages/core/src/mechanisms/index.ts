export * from "./continual-counting/index.ts";
export * from "./correlated-gradients/index.ts";
export * from "./decision/index.ts";
export { type Draws, drawing } from "./draws.ts";
export * from "./exponential/index.ts";
export { type GaussianBudget, gaussianFor } from "./gaussian/gaussian-for.ts";
export {
  type BoundedGeometric,
  boundedGeometric,
  boundedGeometricErrorBound,
  boundedGeometricEvent,
  boundedGeometricFor,
  laplaceErrorBound,
  type PublicRange,
} from "./geometric/index.ts";
export { halfwayUnits, keepProbability } from "./group-selection/group-selection.ts";
export {
  type SelectionBudget,
  type SelectionRequest,
  selectionFor,
} from "./group-selection/selection-for.ts";
export {
  type CountBudget,
  type CountedUnits,
  countSensitivity,
  type HistogramSetting,
  histogramErrorBound,
  histogramEvent,
  histogramFor,
  noiseErrorBound,
  releaseHistogram,
} from "./histogram/index.ts";
export { canonicalKey, compareKeys } from "./key-order.ts";
export { laplaceFor } from "./laplace/laplace-for.ts";
export * from "./local-frequencies/index.ts";
export * from "./marginals/index.ts";
export type { Mechanism, NoiseMechanism, NoiseSource, Sensitivity } from "./mechanism.ts";
export type { Noise } from "./noise.ts";
export * from "./noisy-gradients/index.ts";
export * from "./permute-and-flip/index.ts";
export * from "./private-bounds/index.ts";
export * from "./private-candidates/index.ts";
export {
  type ProposedValue,
  type ProposeTestReleaseAnswer,
  type ProposeTestReleaseSetting,
  proposeTestRelease,
  proposeTestReleaseErrorBound,
  proposeTestReleaseEvent,
  proposeTestReleaseFor,
  releasedFrom,
  releaseStableMedian,
} from "./propose-test-release/index.ts";
export {
  type QuantileSetting,
  quantileEvent,
  quantileRankErrorBound,
  quantileSensitivity,
  releaseQuantile,
} from "./quantile/index.ts";
export * from "./quantile-tree/index.ts";
export * from "./randomized-response/index.ts";
export { mechanisms, noiseEvent, noiseSampler, noises, proveLosses } from "./registry.ts";
export { releaseGroups } from "./release-groups.ts";
export type * from "./release-program.ts";
export { releaseTotals } from "./release-totals.ts";
export * from "./report-noisy-max/index.ts";
export * from "./scores/index.ts";
export {
  type OrderStatisticSetting,
  releaseSmoothMedian,
  type SmoothMedianSetting,
  smoothMedianErrorBound,
  smoothMedianEvent,
  smoothMedianFor,
} from "./smooth-median/index.ts";
export {
  type KeyCount,
  releaseSparseHistogram,
  type SparseHistogramSetting,
  sparseHistogramErrorBound,
  sparseHistogramEvent,
  sparseHistogramFor,
} from "./sparse-histogram/index.ts";
export {
  openSparseVector,
  type SparseVector,
  type SparseVectorAnswer,
  type SparseVectorQuestion,
  type SparseVectorSetting,
  sparseVectorErrorBound,
  sparseVectorEvent,
  sparseVectorFor,
} from "./sparse-vector/index.ts";
export * from "./subset-response/index.ts";
export * from "./table-session/index.ts";
export {
  openThresholdout,
  type Thresholdout,
  type ThresholdoutAnswer,
  type ThresholdoutSetting,
  thresholdoutErrorBound,
  thresholdoutEvent,
  thresholdoutFor,
} from "./thresholdout/index.ts";
export * from "./top-k/index.ts";
export * from "./unary-response/index.ts";
export * from "./vector-noise/index.ts";
