/** The source of the coins that samplers draw, one word at a time; each word is 32 independent fair bits. */
export interface BitSource {
  /** A uniform integer in [0, 2^32). */
  word(): number;
}
