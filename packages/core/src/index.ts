/**
 * Privacy losses, accountants, mechanisms, samplers and intervals. It has no dependency and runs in a browser; {@link account} is the door for pricing.
 * @module @lethe/core
 */
export * from "./account.ts";
export * from "./accountants/index.ts";
export * from "./accuracy/index.ts";
export * from "./amplification/index.ts";
export type { ChoiceSetting, PrivateChoice } from "./calibrated/choice.ts";
export type {
  ApproximateGaussianSetting,
  GaussianSetting,
  ZcdpGaussianSetting,
} from "./calibrated/gaussian.ts";
export type { GeometricSetting } from "./calibrated/geometric.ts";
export type { Measured } from "./calibrated/grid.ts";
export type { LaplaceSetting } from "./calibrated/laplace.ts";
export type { Charged, NoiseOnGrid, NoisyInteger, NoisyNumber } from "./calibrated/noisy-number.ts";
export { choice, gaussian, geometric, laplace } from "./calibrated.ts";
export * from "./canonical/index.ts";
export * from "./conversions/index.ts";
export * from "./entropy/index.ts";
export * from "./errors/index.ts";
export * from "./events/index.ts";
export * from "./exact/index.ts";
export * from "./losses/index.ts";
export * from "./losses/measures/index.ts";
export * from "./losses/renyi/curves/index.ts";
export * from "./mechanisms/index.ts";
export * from "./numeric/fft/index.ts";
export * from "./numeric/index.ts";
export * from "./price.ts";
export * from "./samplers/index.ts";
export * from "./units/index.ts";
