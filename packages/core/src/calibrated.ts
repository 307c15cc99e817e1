import { type ChoiceSetting, calibratedChoice, type PrivateChoice } from "./calibrated/choice.ts";
import {
  type ApproximateGaussianSetting,
  calibratedGaussian,
  type GaussianSetting,
  type ZcdpGaussianSetting,
} from "./calibrated/gaussian.ts";
import { calibratedGeometric, type GeometricSetting } from "./calibrated/geometric.ts";
import { calibratedLaplace, type LaplaceSetting } from "./calibrated/laplace.ts";
import type { NoiseOnGrid, NoisyInteger } from "./calibrated/noisy-number.ts";
import type { SecureEntropy } from "./entropy/secure-entropy.ts";
import { secureEntropy } from "./entropy/system-entropy.ts";
import type { ApproximateLoss, PureLoss, ZcdpLoss } from "./losses/measures/loss.ts";
import { price } from "./price.ts";

/*
 * Mechanisms calibrated to a sensitivity, from plain numbers. A number such as 0.1 or "0.1" is one tenth exactly: a double counts as the shortest
 * decimal that JavaScript prints for it. Nothing here keeps a budget: whoever releases adds up the losses, or hands the events to an account.
 */

/**
 * Laplace noise on one number at a pure ε, in exact integer steps.
 * Source: Dwork & Roth 2014, Thm 3.6, on integers (Ghosh, Roughgarden & Sundararajan 2009).
 * Direction: exact, where the step divides the sensitivity; else the sensitivity is rounded up to a step.
 * Errors: parameter.invalid unless sensitivity, epsilon and step are above 0.
 * @example laplace({ sensitivity: 1, epsilon: 0.5 }).errorBound(0.95) // => 6
 */
export function laplace(
  setting: LaplaceSetting,
  entropy: SecureEntropy = secureEntropy(),
): NoiseOnGrid<PureLoss> {
  return calibratedLaplace(setting, { price, bits: entropy });
}

/**
 * Gaussian noise on one number: the least that keeps to ρ of zCDP, or to ε and δ. It is a continuous Gaussian rounded to steps, which is post-processing.
 * Source: Balle & Wang 2018, Alg. 1; Bun & Steinke 2016, Prop. 1.6.
 * Direction: upper: the loss is at most the budget.
 * Errors: parameter.invalid unless sensitivity, step and the budget are above 0, δ below 1, and ρ stands alone.
 * @example gaussian({ sensitivity: 1, rho: 0.5 }).errorBound(0.95) // => 2
 */
export function gaussian(setting: ZcdpGaussianSetting, entropy?: SecureEntropy): NoiseOnGrid<ZcdpLoss>;
export function gaussian(
  setting: ApproximateGaussianSetting,
  entropy?: SecureEntropy,
): NoiseOnGrid<ApproximateLoss>;
export function gaussian(
  setting: GaussianSetting,
  entropy: SecureEntropy = secureEntropy(),
): NoiseOnGrid<ZcdpLoss | ApproximateLoss> {
  return calibratedGaussian(setting, { price, bits: entropy });
}

/**
 * The truncated geometric mechanism: a whole number of a public range, answered within the range, at a pure ε.
 * Source: Ghosh, Roughgarden & Sundararajan 2009.
 * Direction: exact.
 * Errors: parameter.invalid unless lo ≤ hi ≤ lo + 2^20 and sensitivity ≥ 1 are whole numbers, and epsilon is above 0.
 * @example geometric({ lo: 0, hi: 100, epsilon: 0.5 }).errorBound(0.95) // => 6
 */
export function geometric(setting: GeometricSetting, entropy: SecureEntropy = secureEntropy()): NoisyInteger {
  return calibratedGeometric(setting, { price, bits: entropy });
}

/**
 * A choice of the best candidate by its score at a pure ε, by permute-and-flip: never worse on average than the exponential mechanism.
 * Source: McKenna & Sheldon 2020, Thm 1.
 * Direction: exact, as {@link laplace}.
 * Errors: parameter.invalid unless sensitivity, epsilon and step are above 0.
 * @example choice({ sensitivity: 1, epsilon: 1, monotone: true }).errorBound(0.99, 101) // 9.21…
 */
export function choice(setting: ChoiceSetting, entropy: SecureEntropy = secureEntropy()): PrivateChoice {
  return calibratedChoice(setting, { price, bits: entropy });
}
