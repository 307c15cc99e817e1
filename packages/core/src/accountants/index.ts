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
export type { AnyForm, Conversion, Form } from "./form.ts";
export { lightForms } from "./forms/light-forms.ts";
export { type Price, type PriceTarget, type ProveLosses, priceEvents } from "./price-events.ts";
