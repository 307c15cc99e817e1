/** A failure that a Trino reported of a statement. Its message may quote values, and is for the owner's log alone; its name is a constant of Trino's, such as COLUMN_NOT_FOUND. */
export class TrinoFailure extends Error {
  override readonly name: string = "TrinoFailure";
  readonly errorName: string;

  constructor(errorName: string, message: string) {
    super(`${errorName}: ${message}`);
    this.errorName = errorName;
  }
}
