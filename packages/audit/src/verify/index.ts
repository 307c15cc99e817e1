export { type Claim, claimOf, type Point, pureClaim } from "./claim.ts";
export {
  type Enclosure,
  exactly,
  hockeyStick,
  type Neighbours,
  type Outcome,
  product,
  renyiMoment,
  reversed,
} from "./hockey-stick.ts";
export {
  discreteGaussianMass,
  discreteLaplaceMass,
  type Mass,
  roundedGaussianMass,
  shifted,
  upperTail,
} from "./masses.ts";
export { aligned, type FiniteLaw, type Forms, formsOf, pureEitherWay } from "./pure-forms.ts";
export { type RefutedForms, refutedForms } from "./refuted-forms.ts";
export { type FiniteMechanism, leastEpsilon, type Refutation, type Verification, verify } from "./verify.ts";
