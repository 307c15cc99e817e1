/** Why an answer would be paid for and say next to nothing, and what would help. */
export interface Warning {
  readonly message: string;
  readonly fix: string;
}
