import { type AccountFor, accountWith } from "./accountants/account-with.ts";
import { type Calibrators, calibrateWith } from "./accountants/calibrate/calibrate-with.ts";
import { type OddsOf, oddsWith } from "./accountants/odds/odds-with.ts";
import { allRepresentations } from "./losses/registry/all-representations.ts";
import { proveLosses } from "./mechanisms/registry.ts";

/**
 * The calculators' answer to what an event costs: ε, δ and trade-off as certified intervals, by every representation of loss that has a
 * theorem, the tightest taken. In doubles; what an account of the ledger charges is `price` instead.
 * Errors: parameter.invalid for a broken event or option; account.unprovable, when asked, where no representation has a theorem.
 * @example account(dpSgdEvent({ units: 60000, batch: 256, noiseMultiplier: 1.1, steps: 14062 })).epsilon(1e-5) // 2.3817 ± 1e-4
 */
export const account: AccountFor = accountWith(allRepresentations, proveLosses);

/**
 * The odds of an attacker who sees what an event releases: membership advantage, μ of Gaussian differential privacy, and true positives at one false in a hundred,
 * from the trade-off function of what was run; rounded up.
 * Errors: parameter.invalid for a broken event.
 * @example odds({ kind: "gaussian", version: 1, sigma: "3.98", sensitivity: "1" }).advantage // => 0.09997
 */
export const odds: OddsOf = oddsWith(allRepresentations, proveLosses, account);

const calibrators: Calibrators = calibrateWith(account);

/**
 * The smallest noise of any mechanism and composition whose certified ε is within the target.
 * @example smallestNoise({ eventAt: (noiseMultiplier) => dpSgdEvent({ rate: 0.1, noiseMultiplier, steps: 512 }), epsilon: 1, delta: 1e-6 }).value // => 9.6618
 */
export const smallestNoise: Calibrators["smallestNoise"] = calibrators.smallestNoise;
/** The largest sample rate in (0, 1] whose certified ε is within the target. */
export const largestSampleRate: Calibrators["largestSampleRate"] = calibrators.largestSampleRate;
/** The largest ε, or other growing parameter, of a mechanism inside an event whose whole stays within the target. */
export const largestEpsilon: Calibrators["largestEpsilon"] = calibrators.largestEpsilon;
/** The largest number of steps whose certified ε is within the target; one more is not certified. */
export const largestSteps: Calibrators["largestSteps"] = calibrators.largestSteps;
