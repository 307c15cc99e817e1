/** A privacy measure with the operations that an account needs. Losses are exact; `J` is a loss with its rationals as texts. */
export interface Measure<L extends { readonly measure: string }, J = unknown> {
  readonly id: L["measure"];
  /** The loss of an answer that does not depend on the data. */
  readonly zero: L;
  /** The loss of the adaptive composition of all. */
  compose(losses: Iterable<L>): L;
  /** The loss of n-fold adaptive composition. Errors: n < 0. */
  power(loss: L, n: bigint): L;
  /** Whether a cap covers a loss. */
  fits(loss: L, cap: L): boolean;
  /** Returns the part of a grant that is left after `spent`; never below zero. */
  left(granted: L, spent: L): L;
  /** Texts that {@link Measure.fromJson} reads back to the very same loss. */
  toJson(loss: L): J;
  /** Strict. Errors: parameter.invalid for another measure, a missing or unknown field, a negative number. */
  fromJson(json: unknown): L;
}
