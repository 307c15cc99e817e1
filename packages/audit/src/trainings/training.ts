import type { BitSource } from "@lethe/core";
import type { Claim } from "../verify/claim.ts";

/** Training with canaries: what one run of it costs, and what it lets see of each canary. */
export interface Training {
  readonly id: string;
  /** One line, for people. */
  readonly describes: string;
  /** The place where its fault was met; null for a training that is right. */
  readonly source: string | null;
  readonly canaries: number;
  /** The number of canaries that are guessed; half of these guesses are "in". */
  readonly guesses: number;
  /** Returns the claim for adding or removing one canary. It is made when asked, since pricing takes a while. */
  claim(): Claim;
  /** Trains, and returns a score for each canary, larger for those that seem to have been in. */
  train(included: readonly boolean[], bits: BitSource): readonly number[];
}
