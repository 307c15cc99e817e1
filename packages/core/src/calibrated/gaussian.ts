import { invalidParameter } from "../errors/lethe-error.ts";
import type { ApproximateLoss, ZcdpLoss } from "../losses/measures/loss.ts";
import { gaussianFor } from "../mechanisms/gaussian/gaussian-for.ts";
import type { RationalInput } from "../numeric/exact-input.ts";
import { compare, one, toText } from "../numeric/rational.ts";
import { gridFor, type Measured, positiveOf } from "./grid.ts";
import { type Means, type NoiseOnGrid, noiseOnGrid } from "./noisy-number.ts";

/** The budget of Gaussian noise on one number under zCDP. */
export interface ZcdpGaussianSetting extends Measured {
  readonly rho: RationalInput;
  readonly epsilon?: never;
  readonly delta?: never;
}

/** The budget of Gaussian noise on one number under approximate DP. */
export interface ApproximateGaussianSetting extends Measured {
  readonly epsilon: RationalInput;
  readonly delta: RationalInput;
  readonly rho?: never;
}

/** The budget of Gaussian noise on one number: ρ of zCDP, or ε and δ. */
export type GaussianSetting = ZcdpGaussianSetting | ApproximateGaussianSetting;

/** The least rounded Gaussian noise within a budget, from given coins. Errors: parameter.invalid for a budget that is none. */
export function calibratedGaussian(
  setting: GaussianSetting,
  means: Means,
): NoiseOnGrid<ZcdpLoss | ApproximateLoss> {
  const grid = gridFor(setting);
  const l2Squared = grid.sensitivity * grid.sensitivity;
  if (setting.rho !== undefined) {
    if (setting.epsilon !== undefined || setting.delta !== undefined) {
      throw invalidParameter("rho", "epsilon or delta beside it", "the only budget, or left out");
    }
    const noise = gaussianFor({ l2Squared, rho: positiveOf(setting.rho, "rho") });
    return noiseOnGrid<"zcdp">(grid, noise, { measure: "zcdp" }, means);
  }
  const epsilon = positiveOf(setting.epsilon, "epsilon");
  const delta = positiveOf(setting.delta, "delta");
  if (!(compare(delta, one) < 0)) throw invalidParameter("delta", toText(delta), "above 0 and below 1");
  const noise = gaussianFor({ l2Squared, epsilon, delta });
  return noiseOnGrid<"approximate">(grid, noise, { measure: "approximate", delta }, means);
}
