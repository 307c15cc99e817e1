import type { PostExpression } from "../aggregates/post-expression.ts";
import type { Domain } from "../expressions/domain.ts";

/**
 * Rows that are made of released rows alone: a SELECT over a private answer, at no price. Each relation has columns with names, no two
 * alike, and rows in an order. In its expressions `key` names a column of the rows that it is made of; there are no aggregates in them.
 */
export type OverRelation =
  /** The rows and the columns of an answer itself, after its HAVING, ORDER BY and LIMIT: of the plan's own, or of that other one which has this name. */
  | { readonly kind: "answer"; readonly name?: string }
  /**
   * Rows of constants: a cell for each column. Dates and timestamps are texts. They are written out in the question, or they are those of a public `table`,
   * read before the charge; until then there are none.
   */
  | {
      readonly kind: "values";
      readonly table?: string;
      readonly columns: readonly Pick<OverColumn, "name" | "type">[];
      readonly rows: readonly (readonly (string | number | boolean | null)[])[];
    }
  /** The rows where a condition is true. */
  | { readonly kind: "filtered"; readonly of: OverRelation; readonly where: PostExpression }
  /** These columns of each row, and no others. */
  | { readonly kind: "shown"; readonly of: OverRelation; readonly columns: readonly OverColumn[] }
  /**
   * One row for each combination of values of the columns `by`, in the order in which they first stand, NULL being equal to NULL: those columns, then the
   * values. With no column in `by` there is exactly one row, of no rows too.
   */
  | {
      readonly kind: "grouped";
      readonly of: OverRelation;
      readonly by: readonly string[];
      readonly values: readonly OverValue[];
    }
  /** All columns of each row, and then the value of each window. */
  | { readonly kind: "windowed"; readonly of: OverRelation; readonly windows: readonly OverWindow[] }
  /** The rows in an order, rows that it leaves equal as they stood, from the place `offset` on, at most `limit` of them. */
  | {
      readonly kind: "ordered";
      readonly of: OverRelation;
      readonly orderBy: readonly OverOrder[];
      readonly limit: number | null;
      readonly offset: number;
    }
  /** Each row once, where it first stands. NULL is equal to NULL. */
  | { readonly kind: "distinct"; readonly of: OverRelation }
  /**
   * The columns of the left, then those of the right, of every pair where `on` is true, the left's rows in order, and for each the right's. Rows that meet none are kept with
   * NULL on the other side: of the left for `left` and `full`, and then, behind all others, of the right for `right` and `full`.
   */
  | {
      readonly kind: "joined";
      readonly type: "inner" | "left" | "right" | "full";
      readonly left: OverRelation;
      readonly right: OverRelation;
      readonly on: PostExpression | null;
    }
  /** The rows of all parts one after the other, under the names of the first. The parts have as many columns each, of the same types. */
  | { readonly kind: "union"; readonly parts: readonly OverRelation[] };

/** A value of answers that questions behind them read before their own rows are. */
export interface ReleasedRelation {
  /** The subquery as the text writes it; no other one of the text is known by it. */
  readonly sql: string;
  /** One column, and at most one row; without a row the value is NULL. No public table stands in it. */
  readonly of: OverRelation;
}

/** A column with its name. */
export interface OverColumn {
  readonly name: string;
  readonly type: Domain["type"];
  readonly expression: PostExpression;
}

/** A number of a group of rows. `expression` is null for COUNT(*) alone; `where` is FILTER. NULL is left out, and of no values all but counts are NULL. */
export interface OverValue {
  readonly name: string;
  readonly value: {
    readonly function: OverAggregate;
    readonly expression: PostExpression | null;
    readonly distinct: boolean;
    readonly where: PostExpression | null;
  };
}

export type OverAggregate =
  | "count"
  | "sum"
  | "avg"
  | "min"
  | "max"
  | "stddev_samp"
  | "stddev_pop"
  | "var_samp"
  | "var_pop"
  | "bool_and"
  | "bool_or";

/**
 * The value of a window function. `arguments` are those of the call: of `lag` and `lead` value, distance and default (three, always), of `ntile` and
 * `nth_value` the constants that they are called with.
 */
export interface OverWindow {
  readonly name: string;
  readonly function: OverAggregate | OverPlace;
  readonly arguments: readonly PostExpression[];
  readonly partitionBy: readonly PostExpression[];
  readonly orderBy: readonly OverOrder[];
  readonly frame: OverFrame;
  readonly where: PostExpression | null;
}

export type OverPlace =
  | "row_number"
  | "rank"
  | "dense_rank"
  | "percent_rank"
  | "cume_dist"
  | "ntile"
  | "lag"
  | "lead"
  | "first_value"
  | "last_value"
  | "nth_value";

/**
 * The rows of the partition that a window looks at, by their places from the row on: -1 is the row before, null has no end. Where `peers` is true the
 * ends are the row itself or none, and rows that are equal in the order are within wherever one of them is.
 */
export interface OverFrame {
  readonly peers: boolean;
  readonly from: number | null;
  readonly to: number | null;
}

/** A part of an order. */
export interface OverOrder {
  readonly by: PostExpression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}
