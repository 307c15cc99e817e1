/** The owner's words, as the command line or the questions on a terminal gave them. */
export interface InitFlags {
  readonly policy: string;
  /** One for a CSV or Parquet file; those that are wanted of a database. */
  readonly table?: readonly string[];
  /** The variable that holds the URL of a database to draft from; true: LETHE_DATABASE_URL. */
  readonly postgres?: string | true;
  readonly unit?: string;
  readonly unitName: string;
  readonly adjacency: "add-or-remove-one" | "replace-one";
  readonly bounds: readonly string[];
  readonly categories: readonly string[];
  readonly booleans?: string;
  readonly maxGroups?: string;
  readonly maxRows?: string;
  readonly limit?: "groups-after-filter" | "rows-before-filter";
  readonly expectedRows?: string;
  readonly delimiter: string;
  readonly measure: "pure" | "approximate" | "zcdp";
  readonly epsilon: string;
  readonly delta: string;
}
