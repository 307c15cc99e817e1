/** The source of the coins that samplers draw, one word at a time; each word is 32 independent fair bits. */
export interface BitSource {
  /** A uniform integer in [0, 2^32). */
  word(): number;
  /** Fills a list with the next words: what as many calls of {@link word} would give, in less time. Some sources have no such door. */
  fillWords?(out: Uint32Array): void;
}
