import type { SecureEntropy } from "@lethe/core";
import type { Draws } from "@lethe/core/mechanisms";
import type { Ledger } from "@lethe/ledger";
import type { Engine, Policy } from "@lethe/query";

/** The parts that an answer needs, wired once by an app. Randomness, time and I/O arrive here and nowhere else. */
export interface House {
  readonly policy: Policy;
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly entropy: SecureEntropy;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The random ids by which the owner last declared the data of tables as changed, by table; empty unless stated. */
  readonly declared?: Readonly<Record<string, string>>;
  /** The schedule that whoever runs the house keeps for what leaves it: certificates say so. Absent where answers leave when they are ready. */
  readonly schedule?: Schedule;
  /** Gets what the asker must know before paying: a function of question and policy alone. */
  readonly notice?: (words: string) => void;
}

/** The time that each statement of a plan is given, in milliseconds: see {@link statementsOf}. */
export interface Schedule {
  readonly each: number;
}

/** A house whose coins are in the mechanisms' hands already: the secure ones of {@link House}, or draws that an audit has frozen. */
export interface DrawingHouse extends Omit<House, "entropy"> {
  readonly draws: Draws;
}
