import { type AccountFor, accountWith } from "./accountants/account-with.ts";
import { type Calibrators, calibrateWith } from "./accountants/calibrate/calibrate-with.ts";
import { lightRepresentations } from "./losses/registry/light-representations.ts";
import { proveLosses } from "./mechanisms/registry.ts";

/*
 * Core for a page that counts its bytes: every mechanism, every accountant and the calculators of every representation of loss but PLD. Under
 * 60 kB as one script, minified and gzipped; a test in testing/src/browser weighs it.
 */

export * from "./accountants/index.ts";
export * from "./entropy/index.ts";
export * from "./errors/index.ts";
export { type DpSgd, dpSgdEvent, type SamplingRate } from "./events/dp-sgd-event.ts";
export type * from "./events/event.ts";
export { eventFromJson } from "./events/event-json.ts";
export * from "./mechanisms/index.ts";
export {
  parseRational,
  type Rational,
  ratio,
  toDecimal,
  toDouble,
  toText,
} from "./numeric/rational.ts";
export * from "./price.ts";

/**
 * Returns the loss of an event by every representation of loss but PLD: the same numbers that `account` of all of core gives for the same representations.
 * Errors: parameter.invalid for a broken event or option; account.unprovable, when asked, where no representation has a theorem.
 * @example account(dpSgdEvent({ units: 60000, batch: 256, noiseMultiplier: 1.1, steps: 14062 })).epsilon(1e-5).upper // => 2.5966
 */
export const account: AccountFor = accountWith(lightRepresentations, proveLosses);

const calibrators: Calibrators = calibrateWith(account);

/** The smallest noise of any mechanism and composition whose certified ε is within the target. */
export const smallestNoise: Calibrators["smallestNoise"] = calibrators.smallestNoise;
/** The largest sample rate in (0, 1] whose certified ε is within the target. */
export const largestSampleRate: Calibrators["largestSampleRate"] = calibrators.largestSampleRate;
/** The largest ε, or other growing parameter, of a mechanism inside an event whose whole stays within the target. */
export const largestEpsilon: Calibrators["largestEpsilon"] = calibrators.largestEpsilon;
/** The largest number of steps whose certified ε is within the target; one more is not certified. */
export const largestSteps: Calibrators["largestSteps"] = calibrators.largestSteps;
