import { refused } from "../refuse.ts";

/** The steps of one query: rows that are looked at, values that are computed, and characters and items that are made. */
const mostSteps = 600_000;
/** The values that one query may hold at a time, in rows, groups and texts. */
const mostHeld = 500_000;

/** Counts what a query does, so that none takes more than a public bound of time and memory, whatever it asks. */
export class Budget {
  #steps = mostSteps;
  #held = mostHeld;

  /** The steps that were counted so far. */
  get spent(): number {
    return mostSteps - Math.max(0, this.#steps);
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
