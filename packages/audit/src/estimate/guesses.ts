/** The guesses of an auditor about canaries that were each in or out by a fair coin. */
export interface Guesses {
  readonly canaries: number;
  readonly guesses: number;
  readonly correct: number;
}
