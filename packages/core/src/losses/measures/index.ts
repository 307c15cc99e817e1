export type { Adjacency } from "./adjacency.ts";
export { approximate } from "./approximate.ts";
export type * from "./loss.ts";
export {
  composeLosses,
  type LossOf,
  type LossTextOf,
  lossFits,
  lossFromJson,
  lossLeft,
  lossToJson,
  measures,
  powerLoss,
  zeroLoss,
} from "./losses.ts";
export type { Measure } from "./measure.ts";
export { type MixedLoss, mixed } from "./mixed.ts";
export type { Bounds, PrivacyCurve } from "./privacy-curve.ts";
export { pure } from "./pure.ts";
export type { SamplingScheme } from "./sampling-scheme.ts";
export { zcdp } from "./zcdp.ts";
