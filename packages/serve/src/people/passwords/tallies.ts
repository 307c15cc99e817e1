interface Tally {
  readonly level: number;
  /** The moment of the last failure, in milliseconds. */
  readonly last: number;
}

/** A tally, and what it was before its last failure; undefined where that is not known any more. */
export interface KeptTally extends Tally {
  readonly before: Tally | null | undefined;
}

/**
 * Counts failures by key. A failure counts one when it happens and half as much after each half-life. At most `most` keys are kept: the lowest counts go
 * first, so that a flood of new keys pushes out its own.
 */
export class Tallies {
  readonly #halfLifeMs: number;
  readonly #most: number;
  readonly #tallies = new Map<string, KeptTally>();

  constructor(halfLifeMs: number, most: number) {
    this.#halfLifeMs = halfLifeMs;
    this.#most = most;
  }

  get size(): number {
    return this.#tallies.size;
  }

  /** The count of a key at a moment. A clock that went back halves nothing. */
  level(key: string, at: number): number {
    const tally = this.#tallies.get(key);
    if (tally === undefined) return 0;
    return tally.level * 2 ** (-Math.max(0, at - tally.last) / this.#halfLifeMs);
  }

  /** The count at the last failure, and its moment; null for a key without one. */
  atLast(key: string): Tally | null {
    return this.#tallies.get(key) ?? null;
  }

  /** All that is kept of a key, for a place that keeps it elsewhere. */
  kept(key: string): KeptTally | null {
    return this.#tallies.get(key) ?? null;
  }

  /** Takes in what {@link Tallies.kept} gave. */
  keep(key: string, tally: KeptTally): void {
    this.#tallies.set(key, tally);
  }

  add(key: string, at: number): void {
    const { level, last } = this.#tallies.get(key) ?? { level: null, last: 0 };
    const before = level === null ? null : { level, last };
    this.#tallies.set(key, { level: this.level(key, at) + 1, last: at, before });
    if (this.#tallies.size > this.#most) this.#forget(at);
  }

  /** Takes back the failure of a moment: it was none, and no delay is counted from it. */
  takeBack(key: string, at: number): void {
    const tally = this.#tallies.get(key);
    if (tally === undefined) return;
    const { level, last, before } = tally;
    const isLast = last === at && before !== undefined;
    // Where another began since, what this one counts at that moment is taken off.
    const rest = isLast ? before : { level: level - 2 ** (-Math.max(0, last - at) / this.#halfLifeMs), last };
    if (rest === null || rest.level <= 1e-6) this.#tallies.delete(key);
    else this.#tallies.set(key, { ...rest, before: undefined });
  }

  drop(key: string): void {
    this.#tallies.delete(key);
  }

  #forget(at: number): void {
    const ranked = [...this.#tallies.keys()].map((key) => ({ key, level: this.level(key, at) }));
    ranked.sort((a, b) => a.level - b.level);
    for (const { key } of ranked.slice(0, ranked.length - Math.floor((3 * this.#most) / 4)))
      this.#tallies.delete(key);
  }
}
