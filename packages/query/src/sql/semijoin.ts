import { type FromItem, join, type Query, type SelectColumn, select } from "./query.ts";
import type { ValueWriter } from "./value-writer.ts";

/** Rows, named `kept`, that meet a row named `met`, or those that meet none. */
export interface SemijoinRequest {
  readonly columns: readonly SelectColumn[];
  readonly kept: FromItem;
  readonly met: FromItem;
  /** The conditions that a pair of rows meets, all of them. */
  readonly on: readonly string[];
  /** Whether the rows that meet one are wanted, instead of those that meet none. */
  readonly found: boolean;
}

/** Writes the rows of a semijoin or of an anti-join. */
export type Semijoin = (request: SemijoinRequest, write: ValueWriter) => Query;

/** By EXISTS, as the standard has it. */
export const semijoinByExists: Semijoin = ({ columns, kept, met, on, found }, write) => {
  const exists = write.exists(select(["1"], met, { where: on }));
  return select(columns, kept, { where: [found ? exists : write.not(exists)] });
};

/**
 * By SEMI JOIN and ANTI JOIN, for DuckDB: it joins an EXISTS anew with the values that it names outside, and finds too few or too many rows
 * where these are compared by <> beside other conditions, or may be NULL (duckdb/duckdb issues 22267 and 23979; seen in 1.5.5).
 */
export const semijoinByJoin: Semijoin = ({ columns, kept, met, on, found }, write) =>
  select(columns, kept, {
    joins: [join(met, on.length === 0 ? [write.truth(true)] : on, found ? "semi" : "anti")],
  });
