import { seeded } from "../../../wire/testing/random-frames.ts";

/** Draws of one statement: the same seed gives the same statement. */
export interface Dice {
  below(count: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Whether something of this chance happens. */
  chance(probability: number): boolean;
  some<T>(least: number, most: number, make: () => T): readonly T[];
}

export function diceOf(seed: number): Dice {
  const random = seeded(seed);
  const below = (count: number): number => Math.floor(random() * count);
  return {
    below,
    pick: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    chance: (probability) => random() < probability,
    some: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, make),
  };
}
