/** A cell as a text: an integer in digits, a double in the shortest form that reads back as it, a text as it is, a boolean as true or false; null for NULL. */
export type CellText = string | null;

/** The rows of a table that one engine has cleaned and another is to keep, all as of one moment. Exact, and so for no eyes at all. */
export interface RowsToFreeze {
  /** The relations that are read for the table: one source has one name, however it is reached. Null where they cannot be told. */
  readonly sources: readonly string[] | null;
  /** The number of rows. */
  readonly rows: number;
  /** The number of values that are not NULL, by column, before they are cleaned. */
  readonly present: Readonly<Record<string, number>>;
  /** Hands on each row's cells, in the order of `cleanedColumns`. May be called once. */
  read(take: (cells: readonly CellText[]) => void): Promise<void>;
}
