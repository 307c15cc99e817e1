import { invalidParameter } from "../errors/lethe-error.ts";
import type { Noise } from "../mechanisms/noise.ts";

/** The noise of a total that is added up from released parts: the sum of so many independent draws. */
export interface NoiseSum {
  readonly draws: number;
  readonly of: Noise;
}

/** What may stand between a measured total and the true one: one draw, or a sum of draws. */
export type AddedNoise = Noise | NoiseSum;

/**
 * The noise of a sum of so many parts, each measured with this noise of its own.
 * Errors: parameter.invalid unless draws is an integer ≥ 1.
 * @example addedUp({ mechanism: "discrete-laplace@1", scale: "2" }, 3) // => { draws: 3, of: { mechanism: "discrete-laplace@1", scale: "2" } }
 */
export function addedUp(noise: Noise, draws: number): AddedNoise {
  if (!(Number.isSafeInteger(draws) && draws >= 1)) throw invalidParameter("draws", draws, "an integer ≥ 1");
  return draws === 1 ? noise : { draws, of: noise };
}
