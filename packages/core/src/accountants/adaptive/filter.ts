import { LetheError } from "../../errors/lethe-error.ts";

/** The measures whose losses add up also when each is chosen after the last answer. A PLD is none of them. */
export type FilterMeasure = "pure" | "approximate" | "zcdp" | "renyi";

/**
 * A budget that cannot be overspent by mechanisms that are chosen one after another, each with its loss, from all answers so far.
 * Ask `spend` before a mechanism runs: what does not fit is refused and costs nothing. A filter is one account's state; it is
 * not copied. An interactive mechanism is charged in full when it is opened, and several may be open at once (./session.ts).
 */
export interface Filter<L, Left = L> {
  readonly measure: FilterMeasure;
  /** The source of the proof that the whole costs no more than the grant. */
  readonly theorem: string;
  /** Returns the part of the grant that is left. */
  left(): Left;
  /** Whether a mechanism of this loss would be admitted now. */
  covers(loss: L): boolean;
  /** Admits a mechanism. Errors: account.budget when the rest does not cover it; parameter.invalid for a broken loss. */
  spend(loss: L): void;
}

/** The refusal of a filter. `left` says in words what would still be admitted. */
export function overspent(measure: FilterMeasure, left: string): LetheError {
  return new LetheError("account.budget", `the ${measure} budget does not cover this loss`, {
    fix: `run something that costs at most ${left}, or stop here`,
    fields: { measure, left },
  });
}
