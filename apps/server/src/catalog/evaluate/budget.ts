import { refused } from "../refuse.ts";

/** The steps of one query: rows that are looked at, values that are computed, and characters and items that are made. */
const mostSteps = { always: 600_000, ofColumn: 200 };
/** The values that one query may hold at a time, in rows, groups and texts. */
const mostHeld = { always: 500_000, ofColumn: 100 };

/**
 * Counts what a query does, so that none takes more than a public bound of time and memory, whatever it asks. The bound grows with the columns of the
 * policy's tables, since tools read all that they can: the more there are, the longer a catalog takes.
 */
export class Budget {
  readonly #most: number;
  #steps: number;
  #held: number;

  /** @param columns the columns of all tables of the policy */
  constructor(columns: number) {
    this.#most = mostSteps.always + mostSteps.ofColumn * columns;
    this.#steps = this.#most;
    this.#held = mostHeld.always + mostHeld.ofColumn * columns;
  }

  /** The steps that were counted so far. */
  get spent(): number {
    return this.#most - Math.max(0, this.#steps);
  }

  /** Counts steps. Errors: query.too-large. */
  step(count = 1): void {
    this.#steps -= count;
    if (this.#steps < 0) tooLarge();
  }

  /** Counts values that stay until the end. Errors: query.too-large. */
  hold(count: number): void {
    this.#held -= count;
    if (this.#held < 0) tooLarge();
  }
}

function tooLarge(): never {
  return refused("query.too-large", "the query of the catalog takes more steps than one may");
}
