import type { Subject } from "../subject.ts";
import { type Estimate, type EstimateOptions, estimate } from "./estimate.ts";

export interface Rounds {
  /** The largest number of times that the subject is judged afresh. */
  readonly rounds: number;
  /** Outputs drawn of each neighbour in one round. */
  readonly samples: number;
}

/** The estimate of the last round that was run. */
export interface RoundsEstimate extends Estimate {
  /** The number of rounds that were run: none follows the first that breaks the claim. */
  readonly taken: number;
}

/**
 * Estimates again and again, each time from nothing on coins of its own, until one breaks the claim; the rounds share the false alarm.
 * Rounds are independent and alike, so what one misses with chance at most m, so many miss with chance at most m^rounds: a power of
 * 99.99 % is shown by far fewer runs than would meet a miss.
 * Direction: lower: a correct subject is called broken with chance at most `falseAlarm`.
 */
export function estimateInRounds(
  subject: Subject,
  { seed, samples, rounds, falseAlarm }: EstimateOptions & Rounds,
): RoundsEstimate {
  const each = { samples, falseAlarm: falseAlarm / rounds };
  for (let round = 1; ; round += 1) {
    const found = estimate(subject, { ...each, seed: seedOfRound(seed, round) });
    if (found.broken || round === rounds) return { ...found, taken: round };
  }
}

/** Returns the seed of a round. Runs with different seeds below 2^16 share no round's seed. */
export function seedOfRound(seed: number, round: number): number {
  return seed + round * 0x10000;
}
