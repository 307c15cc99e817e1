import { join, type Query, rowsOf, type SelectColumn, select, unionAll } from "./query.ts";
import type { ValueWriter } from "./value-writer.ts";

/** A FULL JOIN of two queries, whose rows are named `l` and `r`. */
export interface FullJoinRequest {
  readonly left: Query;
  readonly right: Query;
  /** The conditions that a pair of rows meets, all of them; one at least. */
  readonly on: readonly string[];
  /** Whether each condition says that something of the left equals something of the right. */
  readonly isEquality: boolean;
  /** The columns of a pair, of which one side may be missing. */
  readonly columns: readonly SelectColumn[];
  /** The same columns where the left side is missing, without a word of `l`. */
  readonly columnsOfRight: readonly SelectColumn[];
}

/** Writes the rows of a FULL JOIN. */
export type FullJoin = (request: FullJoinRequest, write: ValueWriter) => Query;

/** The join itself, for engines that take any condition. */
export const fullJoin: FullJoin = ({ left, right, on, columns }) =>
  select(columns, rowsOf(left, "l"), { joins: [join(rowsOf(right, "r"), on, "full")] });

/**
 * For engines that fully join by equalities alone. By other conditions the same rows come in two parts: all of the left, and those of
 * the right that meet none of them.
 */
export const fullJoinOfEqualities: FullJoin = (request, write) => {
  if (request.isEquality) return fullJoin(request, write);
  const { left, right, on, columns, columnsOfRight } = request;
  const [l, r] = [rowsOf(left, "l"), rowsOf(right, "r")];
  const met = write.exists(select(["1"], l, { where: on }));
  return unionAll([
    select(columns, l, { joins: [join(r, on, "left")] }),
    select(columnsOfRight, r, { where: [write.not(met)] }),
  ]);
};
