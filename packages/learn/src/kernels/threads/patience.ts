/** How often a thread looks before it sleeps: some tenths of a millisecond, in which a small network gets its noise between two steps. */
const looks = 2 ** 16;

/** The most waits in a row that sleep at once. */
const mostRest = 32;

/**
 * How long to look for a word of another thread before sleeping. What comes soon is met awake. A thread that sleeps is woken in some 10 µs, but often on the
 * core of the one that calls, where it has to wait for its turn. Where the word does not come soon, because steps are long or the machine is busy, looking
 * is left out for a while, and for twice as long each time.
 */
export class Patience {
  #rest = 0;
  #nextRest = 1;

  /** Looks until `arrived` says so; gives false, when to sleep, after a bounded number of looks. */
  meets(arrived: () => boolean): boolean {
    if (arrived()) return true;
    if (this.#rest > 0) {
      this.#rest -= 1;
      return false;
    }
    for (let look = 0; look < looks; look += 1) {
      if (arrived()) {
        this.#nextRest = 1;
        return true;
      }
    }
    this.#rest = this.#nextRest;
    this.#nextRest = Math.min(mostRest, 2 * this.#nextRest);
    return false;
  }
}
