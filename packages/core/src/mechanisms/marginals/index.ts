export {
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
  type MarginalsBudget,
  type MarginalsPlan,
  marginalsEvent,
  marginalsFor,
  releaseMarginals,
} from "./release-marginals.ts";
export {
  countMarginals,
  kWayMarginals,
  type MarginalWorkload,
  marginalSensitivity,
  tableSizes,
} from "./workload.ts";
