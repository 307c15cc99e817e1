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
  /** The parts of a raw relation whose rows lie apart by a hash of one column. */
  readonly partitions?: Partitions;
}

/** Relations that hold together the rows of a table, each row in one of them: rows of the same value of a column in the same. */
export interface Partitions {
  readonly column: string;
  /** The rule that gives a value its place. Two tables of one rule keep rows of the same value in parts of the same place. */
  readonly placement: string;
  /** The name parts of each, in the order of their places; there are two at the least. */
  readonly relations: readonly (readonly string[])[];
}

/** How each table lies in the database. */
export type StorageOf = (table: string) => TableStorage;
