import type { PureLoss } from "../losses/measures/loss.ts";
import { laplaceFor } from "../mechanisms/laplace/laplace-for.ts";
import type { RationalInput } from "../numeric/exact-input.ts";
import { gridFor, type Measured, positiveOf } from "./grid.ts";
import { type Means, type NoiseOnGrid, noiseOnGrid } from "./noisy-number.ts";

/** The budget of Laplace noise on one number. */
export interface LaplaceSetting extends Measured {
  readonly epsilon: RationalInput;
}

/** Laplace noise of an exact ε, from given coins. Errors: parameter.invalid unless sensitivity, step and ε are above 0. */
export function calibratedLaplace(setting: LaplaceSetting, means: Means): NoiseOnGrid<PureLoss> {
  const grid = gridFor(setting);
  const noise = laplaceFor({ l1: grid.sensitivity, epsilon: positiveOf(setting.epsilon, "epsilon") });
  return noiseOnGrid<"pure">(grid, noise, { measure: "pure" }, means);
}
