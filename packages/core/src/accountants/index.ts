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
export { lossOdds } from "./odds/loss-odds.ts";
export { bothHold, falsePositives, type Odds } from "./odds/odds.ts";
export type { OddsOf } from "./odds/odds-with.ts";
export { type Price, type PriceTarget, type ProveLosses, priceEvents } from "./price-events.ts";
