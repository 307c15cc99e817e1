import { type Exact, unseal } from "../../exact/exact.ts";
import { doubleAt, lastElement } from "../../numeric/elements/element-at.ts";
import type { Noise } from "../noise.ts";
import { checkInteger } from "./gradient-sensitivity.ts";
import type { TrainingDraws } from "./training-draws.ts";

/** The exact sums over one batch, and how many of its units needed no clipping. */
export interface ExactGradients {
  /** One integer a parameter. */
  readonly sums: Float64Array;
  readonly unclipped: number;
}

/** What one step releases: pure data, part of the plan. */
export interface GradientProgram {
  readonly parameters: number;
  /** The weight of the count of unclipped units as one more coordinate; 0 leaves it out. */
  readonly countWeight: number;
  readonly noise: Noise;
}

/** Noisy sums as they may leave, in grid units, and the noisy count where it was measured. */
export interface NoisyGradients {
  readonly sums: Float64Array;
  readonly count: number | null;
}

/** Beyond this a sum is cut: integers and their noise then stay exact in doubles. */
const mostSum = 2 ** 52;

/**
 * Prepares the release of one step after another: the exact sums, and where it is asked the weighted count, as one vector, each coordinate with
 * its own draw of the noise. An empty batch is a vector of zeros like another. The event is that of the noise at `gradientSensitivity`.
 * Source: Abadi et al. 2016; proof: ./noisy-gradients.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid for a broken program; none that depends on the sums.
 */
export function gradientReleaser(
  program: GradientProgram,
  draws: TrainingDraws,
): (exact: Exact<ExactGradients>) => NoisyGradients {
  const { parameters, countWeight } = program;
  checkInteger("parameters", parameters, 1, 2 ** 23);
  checkInteger("countWeight", countWeight, 0, 2 ** 40);
  const release = draws.noise(program.noise);
  const hasCount = countWeight > 0;
  return (exact) => {
    const { sums, unclipped } = unseal(exact);
    const vector = new Float64Array(parameters + (hasCount ? 1 : 0));
    copyWithin(sums, vector, parameters);
    if (hasCount) vector[parameters] = within(countWeight * unclipped);
    const noisy = release(vector);
    return hasCount
      ? { sums: noisy.subarray(0, parameters), count: lastElement(noisy) / countWeight }
      : { sums: noisy, count: null };
  };
}

/** Copies sums, each cut to what doubles add exactly. */
export function copyWithin(sums: Float64Array, out: Float64Array, parameters: number): void {
  for (let i = 0; i < parameters; i++) out[i] = within(doubleAt(sums, i));
}

/** Nearest to x in [−2⁵², 2⁵²], which moves no two values apart; 0 for NaN, which no sum of clipped integers is. */
function within(x: number): number {
  return x > mostSum ? mostSum : x >= -mostSum ? x : x < -mostSum ? -mostSum : 0;
}
