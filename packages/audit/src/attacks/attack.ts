import type { Laboratory } from "./services/service.ts";

/** The score of one guess between two worlds, and which world was true. */
export interface Score {
  readonly truth: 0 | 1;
  /** A larger score speaks more for the second world. */
  readonly score: number;
}

/** The result of an attack on one service. */
export interface AttackResult {
  readonly attack: string;
  readonly service: string;
  /** The meaning of the number, in words: "accuracy", "answers differing" … */
  readonly measure: string;
  readonly value: number;
  /**
   * An interval that contains the true value, each end wrong with probability at most {@link Effort.alpha}; both ends are the value where it was
   * counted exactly.
   */
  readonly interval: readonly [number, number];
  readonly trials: number;
  /** The value that blind guessing reaches. */
  readonly blind: number;
  /** The largest value that the account's ε and δ allow; null where nothing is promised. */
  readonly ceiling: number | null;
  /**
   * The least value that the attack must reach against a service without protection, so that the control counts; null where the service is no
   * control.
   */
  readonly control: number | null;
  /** A remark on what was seen, where the number does not say it; null for none. */
  readonly note: string | null;
  /** The score of each guess, for a ROC curve; left out where an attack gives no scores. */
  readonly scores?: readonly Score[];
}

/** The effort spent on certainty. */
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
  /** The attacker's method, in one line. */
  readonly describes: string;
  readonly source: string;
  run(
    laboratory: Laboratory,
    effort: Effort,
    uniform: () => number,
    progress?: (done: number) => void,
  ): Promise<readonly AttackResult[]>;
}

/** Returns how many ends of its interval a result is judged by: none where the value was counted exactly. */
export function judgedEnds({ ceiling, control, interval: [lo, hi] }: AttackResult): number {
  return lo === hi ? 0 : Number(ceiling !== null) + Number(control !== null);
}

/** Whether a result is wrong: a service with a ceiling is certain to exceed it, or a control is certain to stay below what the attack must reach. */
export function isFinding({ ceiling, interval, control }: AttackResult): boolean {
  if (ceiling !== null && !(interval[0] <= ceiling)) return true;
  return control !== null && !(interval[1] >= control);
}
