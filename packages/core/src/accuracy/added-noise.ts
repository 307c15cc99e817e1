import type { Noise } from "../mechanisms/noise.ts";

/** The noise of a total that is added up from released parts: the sum of so many independent draws. */
export interface NoiseSum {
  readonly draws: number;
  readonly of: Noise;
}

/** What may stand between a measured total and the true one: one draw, or a sum of draws. */
export type AddedNoise = Noise | NoiseSum;
