import type { PrivacyLossText } from "@lethe/core";

/** One change of the question or its policy, planned and priced by itself, that makes the same answers cheaper. */
export interface Saving {
  /** What is changed. */
  readonly change: string;
  /** What to write for it. */
  readonly how: string;
  /** What it takes in exchange; null where nothing. */
  readonly takes: string | null;
  /** What to state: an ε, least to about a hundredth, at which no interval is wider than before and no group harder to find. */
  readonly epsilon: string;
  /** What that costs, in the account's measure. */
  readonly price: PrivacyLossText;
  /** The part of the price that this saves, in (0, 1). */
  readonly saved: number;
  /** At the price as it is: the widest of the intervals as a part of what it was. */
  readonly error: number;
}
