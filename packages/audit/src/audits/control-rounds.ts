import type { Rounds } from "../estimate/estimate-in-rounds.ts";

/**
 * How the estimate meets its controls: up to five rounds, so that a round that misses one control in twenty still leaves a power of
 * 99.9999 %. How seldom a round misses is counted by a soak.
 */
export const controlRounds: Rounds = { rounds: 5, samples: 6_000 };
