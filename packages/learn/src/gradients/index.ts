/**
 * Private training by noisy gradients: one description gives sampler, clip, sensitivity, noise and the event that is charged; `train` runs it.
 * @module @lethe/learn/gradients
 */
export { bltFor, type Correlation, type TrainingDraws, trainingDraws } from "@lethe/core/mechanisms";
export type { ClippedGradients, ClippedSums } from "../clipping/clipped-gradients.ts";
export * from "./plan/index.ts";
export * from "./sampling/index.ts";
export * from "./training/index.ts";
