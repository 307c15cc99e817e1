export { binomialError, binomialMass, binomialTail } from "./binomial.ts";
export { type ExactSamplingScheme, samplingRate } from "./exact-sampling-scheme.ts";
export { type NoisyIteration, noisyIterationAveraged, noisyIterationRho } from "./noisy-iteration.ts";
export {
  type DirectedBounds,
  type RandomAllocation,
  type RandomAllocationRun,
  randomAllocation,
} from "./random-allocation.ts";
export { selectedPair } from "./repeat-and-select-pair.ts";
export { type BestOfRuns, bestOfRuns, type RunLaw } from "./run-law.ts";
export {
  type Shuffle,
  type ShuffleVariant,
  shuffleDelta,
  shuffleEpsilon,
  shuffleEpsilonTextbook,
  shufflePair,
} from "./shuffle.ts";
export { subsampledEpsilon, unsampledEpsilon } from "./subsampled-epsilon.ts";
export { type ExactLoss, subsampledLoss } from "./subsampled-loss.ts";
export {
  type DirectedProfile,
  type ProfileBound,
  profilePoisson,
  profilePoissonReplaceOne,
  profileWithoutReplacement,
  replacedBound,
} from "./subsampled-profile.ts";
export {
  type TruncatedPoisson,
  truncatedDelta,
  truncatedProfile,
  truncationDistance,
} from "./truncated-poisson.ts";
export { type StepPairs, truncatedPoissonPair } from "./truncated-poisson-pair.ts";
