import type { BitSource } from "@lethe/core";
import type { Claim } from "../verify/claim.ts";

/** Training with canaries: what one run of it costs, and what it lets see of each canary. */
export interface Training {
  readonly id: string;
  /** One line, for people. */
  readonly describes: string;
  /** Where its fault was met; null for one that is right. */
  readonly source: string | null;
  readonly canaries: number;
  /** How many of them are guessed; half of these "in". */
  readonly guesses: number;
  /** Made when asked, since pricing takes a while: for adding or removing one canary. */
  claim(): Claim;
  /** Larger scores for canaries that seem to have been in. */
  train(included: readonly boolean[], bits: BitSource): readonly number[];
}
