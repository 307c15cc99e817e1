/**
 * The mathematics that a newcomer needs: mechanisms from plain numbers, prices, exact numbers, errors. It has no dependency and runs in a browser.
 * Everything else has a door of its own, such as `@lethe/core/accounting` and `@lethe/core/mechanisms`.
 * @module @lethe/core
 */
export { account, largestEpsilon, largestSampleRate, largestSteps, smallestNoise } from "./account.ts";
export type { Account, AccountOptions, PriceTarget } from "./accountants/index.ts";
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
export { type BitSource, SecureEntropy, secureEntropy } from "./entropy/index.ts";
export { type ErrorCode, type ErrorDetails, invalidParameter, LetheError } from "./errors/index.ts";
export {
  type DpSgd,
  dpSgdEvent,
  type Event,
  type EventOf,
  eventFromDpAccounting,
  eventFromJson,
  type SamplingRate,
} from "./events/index.ts";
export {
  type Adjacency,
  type ApproximateLoss,
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  type PrivacyLossText,
  type PrivacyMeasure,
  type PureLoss,
  type ZcdpLoss,
} from "./losses/measures/index.ts";
export {
  type IntegerInput,
  parseRational,
  type Rational,
  type RationalInput,
  ratio,
  rationalOf,
  toDecimal,
  toDouble,
  toText,
} from "./numeric/index.ts";
export { price } from "./price.ts";
