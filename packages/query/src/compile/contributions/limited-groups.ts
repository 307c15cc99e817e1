import type { Join, Query } from "../../sql/query.ts";
import type { QuestionRows } from "./question-rows.ts";

/** The rows of a question, and what is left to do so that each unit counts in the groups alone that it may contribute to. */
export interface LimitedGroups {
  readonly rows: QuestionRows;
  /** The columns after the unit by which the rows are sorted already; each is the same throughout a group. */
  readonly sortedBy: readonly string[];
  /** The way to leave out the rows of other groups that are still there; null where none are. */
  readonly kept: KeptGroups | null;
  /** Leaves what belongs to the groups that a unit keeps, of what its rows were grouped to; null where the rows themselves are limited. */
  readonly pairs: ((grouped: GroupedRows) => Query) | null;
}

/** The rows of a question after they were grouped by unit and group, and maybe by something else. */
export interface GroupedRows {
  /** Has the unit as u, its keys as k0 …, and other columns. */
  readonly query: Query;
  /** The text of the ungrouped rows that u is: it tells units apart. */
  readonly unit: string;
  /** The columns to return. */
  readonly columns: readonly string[];
  /** Whether a unit has one row at most in a group, so that rows are counted like groups. */
  readonly isOneEach: boolean;
}

/** The rows of a question without most of the groups that their unit does not keep. */
export interface KeptGroups {
  /** The joins behind the question's rows: with the relation `kept`, which has one row for each unit. */
  readonly joins: readonly Join[];
  /** The place of a row's group in its unit's order. */
  readonly place: string;
  /** Whether every row left is in a group that is kept; else some of a unit's groups beyond k may be left. */
  readonly exact: boolean;
  /** Returns the condition that a unit has fewer than `count` rows beyond the first in each of its groups. */
  readonly extraRowsBelow: (count: number) => string;
}
