export * from "./continual-counting/index.ts";
export * from "./decision/index.ts";
export * from "./exponential/index.ts";
export { type GaussianBudget, gaussianFor } from "./gaussian/gaussian-for.ts";
export { halfwayUnits, keepProbability } from "./group-selection/group-selection.ts";
export {
  type SelectionBudget,
  type SelectionRequest,
  selectionFor,
} from "./group-selection/selection-for.ts";
export { canonicalKey, compareKeys } from "./key-order.ts";
export { laplaceFor } from "./laplace/laplace-for.ts";
export * from "./local-frequencies/index.ts";
export * from "./marginals/index.ts";
export type { Mechanism, NoiseMechanism, NoiseSource, Sensitivity } from "./mechanism.ts";
export type { Noise } from "./noise.ts";
export * from "./permute-and-flip/index.ts";
export * from "./private-candidates/index.ts";
export * from "./randomized-response/index.ts";
export { mechanisms, noiseEvent, noiseSampler, noises, proveLosses } from "./registry.ts";
export { releaseGroups } from "./release-groups.ts";
export type * from "./release-program.ts";
export * from "./report-noisy-max/index.ts";
export * from "./scores/index.ts";
export * from "./subset-response/index.ts";
export * from "./top-k/index.ts";
export * from "./unary-response/index.ts";
export * from "./vector-noise/index.ts";
