/** How a table lies in the database, which compile needs to read it. */
export interface TableStorage {
  /** Quoted-by-the-dialect name parts of the relation. */
  readonly relation: readonly string[];
  /**
   * "raw": columns as the owner keeps them; every value is cast, cleaned, clamped in the query.
   * "snapshot": made by import under this very policy; number columns hold grid integers, texts hold clean categories.
   */
  readonly layout: "raw" | "snapshot";
  /** Whether a snapshot keeps each row's place within its unit (see placeColumn), under the seed that the engine has. */
  readonly hasPlaces?: boolean;
  /** Whether a snapshot's units of different names have different numbers (see numberColumn), so that a number says whose a row is. */
  readonly hasUnitNumbers?: boolean;
  /** The random id of the import that froze a snapshot's rows. A table that is read as it lies has none. */
  readonly imported?: string;
  /** Native types of a raw relation's columns by name, where the dialect's text depends on them. */
  readonly types?: Readonly<Record<string, string>>;
}

/** How each table lies in the database. */
export type StorageOf = (table: string) => TableStorage;
