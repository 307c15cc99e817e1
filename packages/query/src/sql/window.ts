/** The rows that a window's value is computed from. */
export interface Window {
  readonly partitionBy: readonly string[];
  /** A plain text is a value in the engine's own order of NULL, which no result may depend on. */
  readonly orderBy: readonly (string | Order)[];
  /** The frame as SQL has it; null is SQL's own. */
  readonly frame?: string | null;
}

/** An order that says where NULL comes. */
export interface Order {
  readonly by: string;
  /** Null leaves the direction out, which is ascending. */
  readonly direction: "ascending" | "descending" | null;
  readonly nulls: "first" | "last";
}

/** The functions that only windows have. */
export type WindowFunction =
  | "row_number"
  | "rank"
  | "dense_rank"
  | "lag"
  | "lead"
  | "first_value"
  | "last_value";
