import type { BitSource } from "../../entropy/bit-source.ts";
import type { Event } from "../../events/event.ts";
import type { Rational } from "../../numeric/rational.ts";

/** The parameters of a selection: plain data, `rate` an exact text, `range` an integer text. */
export interface SelectionParameters<Id extends string> {
  readonly mechanism: Id;
  /** The factor of scores in exponents. */
  readonly rate: string;
  /** The most by which a difference of two scores can move between neighbours. */
  readonly range: string;
}

/** A private choice of one candidate by its score: the price and the draw side by side. */
export interface Selection<Id extends string = string, E extends Event = Event> {
  readonly parameters: SelectionParameters<Id>;
  readonly event: E;
  /** rate·range: the ε of the choice. */
  readonly epsilon: Rational;
  /**
   * The index of the chosen candidate; better scores are likelier. Work is linear in the number of candidates, whatever
   * the scores. Errors: parameter.invalid for no candidates or scores that are not bigints.
   */
  choose(scores: readonly bigint[], bits: BitSource): number;
}
