import type { PrivacyLossText } from "@lethe/core";

/** One change of the question or its policy, planned and priced by itself, that makes the same answers cheaper. */
export interface Alternative {
  /** The change, in words. */
  readonly change: string;
  /** The text to write for it. */
  readonly how: string;
  /** The disadvantage of the change, in words; null where there is none. */
  readonly takes: string | null;
  /** The ε to state: the least, to about a hundredth, at which no interval is wider than before and no group harder to find. */
  readonly epsilon: string;
  /** The price at that ε, in the account's measure. */
  readonly price: PrivacyLossText;
  /** The part of the price that this saves, in (0, 1). */
  readonly saved: number;
  /** The widest of the intervals as a part of what it was, at the price as it is. */
  readonly error: number;
}
