export type { AnyRepresentation, Conversion, LossRepresentation } from "../losses/loss-representation.ts";
export { lightRepresentations } from "../losses/registry/light-representations.ts";
export { type Account, type AccountFor, type AccountOptions, accountWith } from "./account-with.ts";
export * from "./adaptive/index.ts";
export {
  type Calibration,
  type Calibrators,
  calibrateWith,
  type NumberRequest,
  type StepsRequest,
  smallestGaussianSigma,
  type Target,
} from "./calibrate/calibrate-with.ts";
export { type Price, type PriceTarget, type ProveLosses, priceEvents } from "./price-events.ts";
