import type { Laboratory } from "./service.ts";

/** What one guess between two worlds went by. */
export interface Score {
  readonly truth: 0 | 1;
  /** The larger, the more it spoke for the second world. */
  readonly score: number;
}

/** What an attack came to on one service. */
export interface AttackResult {
  readonly attack: string;
  readonly service: string;
  /** What the number is, in words: "accuracy", "answers differing" … */
  readonly measure: string;
  readonly value: number;
  /** Where the true value lies, but for the chance that stands in `alpha`; the value twice where it was counted out. */
  readonly interval: readonly [number, number];
  readonly trials: number;
  /** What blind guessing gives. */
  readonly blind: number;
  /** What the account's ε and δ allow; null where nothing is promised. */
  readonly ceiling: number | null;
  /** What an attack of the sort must reach against a service without protection for the control to count; null where none is. */
  readonly control: number | null;
  /** What was seen, where a number does not say it. */
  readonly note: string | null;
  /** Of each guess, for a curve; left out where an attack tells none. */
  readonly scores?: readonly Score[];
}

/** How much is to be spent on being sure. */
export interface Effort {
  /** Guesses of a game against Lethe. */
  readonly trials: number;
  /** Guesses of a game against a naive service. */
  readonly controls: number;
  /** Expressions of the oracle attack, questions of the metadata attack. */
  readonly questions: number;
  /** Chance that one end of one interval is wrong. */
  readonly alpha: number;
}

/** One way to learn about a person, shown where it works and where it must not. */
export interface Attack {
  readonly id: string;
  /** What the attacker does, in one line. */
  readonly describes: string;
  readonly source: string;
  run(
    laboratory: Laboratory,
    effort: Effort,
    uniform: () => number,
    progress?: (done: number) => void,
  ): Promise<readonly AttackResult[]>;
}

/** By how many ends of its interval a result is judged; of what was counted out, by none. */
export function judgedEnds({ ceiling, control, interval: [lo, hi] }: AttackResult): number {
  return lo === hi ? 0 : Number(ceiling !== null) + Number(control !== null);
}

/** On Lethe: beyond what its ε allows for certain. On others: the attack does not do what it is known for. */
export function isFinding({ ceiling, interval, control }: AttackResult): boolean {
  if (ceiling !== null && !(interval[0] <= ceiling)) return true;
  return control !== null && !(interval[1] >= control);
}
