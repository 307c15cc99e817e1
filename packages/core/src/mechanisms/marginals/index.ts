export {
  type BoundedNoise,
  boundedNoiseEvent,
  boundedNoiseFor,
  boundedSampler,
  boundedWeights,
} from "./bounded-noise.ts";
export {
  boundedFeatureTotalsFor,
  type FeaturePlan,
  featureMeans,
  featureTotalsEvent,
  featureTotalsFor,
  releaseFeatureTotals,
} from "./feature-totals.ts";
export {
  type MaxNormNoise,
  maxNormEvent,
  maxNormNoiseFor,
  maxNormSampler,
} from "./max-norm-noise.ts";
export {
  type MarginalsPlan,
  marginalsEvent,
  marginalsFor,
  releaseMarginals,
  type TablesBudget,
} from "./release-marginals.ts";
export {
  countMarginals,
  kWayMarginals,
  type MarginalWorkload,
  marginalSensitivity,
  tableSizes,
} from "./workload.ts";
