import type { Noise } from "../../mechanisms/noise.ts";

/** The noise of a total that is added up from released parts: the sum of so many independent draws. */
export interface NoiseSum {
  readonly draws: number;
  readonly of: Noise;
}

/** The noise of what is left of one total when others are taken from it: sums of draws of several noises, all independent. */
export interface NoiseMix {
  readonly sums: readonly NoiseSum[];
}

/** The noise between a measured total and the true one: one draw, a sum of draws, or several such sums. */
export type AddedNoise = Noise | NoiseSum | NoiseMix;
