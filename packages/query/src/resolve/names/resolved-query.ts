import type { Rational } from "@lethe/core";
import type { TimeType } from "../../expressions/calendar/times.ts";
import type { Domain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { PostOperator } from "../../expressions/operator.ts";
import type { ParameterValue } from "../../parse/parameters.ts";
import type { Relation } from "../../relations/relation.ts";

/** A question with every name resolved against the policy's catalog: the input of the planner. */
export interface ResolvedQuery {
  readonly text: string;
  /** The values of $1, $2 …, which stand in its expressions as literals. */
  readonly parameters: readonly ParameterValue[];
  /** The policy's views that it reads; absent where there are none. */
  readonly views?: readonly string[];
  /** The rows asked about; its tables name every column that may be read. */
  readonly from: Relation;
  readonly where: Expression | null;
  readonly groupBy: readonly Expression[];
  /** The keys of each grouping, as places in groupBy, where several groupings are asked at once. Absent for groupBy alone. */
  readonly groupings?: readonly (readonly number[])[];
  readonly aggregates: readonly Aggregate[];
  /** Select list, in order. */
  readonly outputs: readonly OutputColumn[];
  readonly post: PostProcessing;
  readonly options: QuestionOptions;
}

export type Aggregate =
  | Covariance
  /** COUNT(*) — rows, or rows where `argument` is not NULL. */
  | { readonly kind: "count"; readonly argument: Expression | null }
  /** COUNT(DISTINCT unit). */
  | { readonly kind: "count-units" }
  /** COUNT(DISTINCT unit) FILTER (WHERE …): units with a row where `argument` is not NULL. `written` is the condition as SQL. */
  | { readonly kind: "count-units-with"; readonly argument: Expression; readonly written: string }
  /** COUNT(DISTINCT x): values that are not NULL. */
  | { readonly kind: "count-distinct"; readonly argument: Expression }
  | { readonly kind: "sum"; readonly argument: Expression; readonly bounds: AskedBounds | null }
  | {
      readonly kind: "avg";
      readonly argument: Expression;
      readonly bounds: AskedBounds | null;
      readonly present?: Expression;
    }
  | {
      readonly kind: "variance" | "stddev";
      /** Whether the sum of squares is divided by n (VAR_POP), else by n − 1 (VAR_SAMP, VARIANCE). */
      readonly population: boolean;
      readonly argument: Expression;
      readonly bounds: AskedBounds | null;
      /** The expression that is counted in the argument's place: it is NULL exactly where the argument is. */
      readonly present?: Expression;
    }
  | QuantileAggregate;

/** The smallest value with at least this share of the rows up to it. */
export interface QuantileAggregate {
  readonly kind: "quantile";
  /** The share of rows, from 0 to 1. */
  readonly share: number;
  /** The aggregate that was asked for, where this quantile stands for it. */
  readonly standsFor: "min" | "max" | null;
  /** The type of time that the argument's numbers stand for: days (date) or seconds (timestamp) since 1970-01-01. Absent for numbers. */
  readonly time?: TimeType;
  readonly argument: Expression;
  readonly bounds: AggregateBounds | null;
}

/** The covariance over rows where neither argument is NULL: `argument` and `other` are NULL on all other rows, both together. */
export interface Covariance {
  readonly kind: "covariance";
  /** Whether the sum is divided by n (COVAR_POP), else by n − 1 (COVAR_SAMP). */
  readonly population: boolean;
  readonly argument: Expression;
  readonly other: Expression;
  /** The argument whose rows are counted: `argument` or `other`. */
  readonly present: Expression;
  /** The arguments as the question writes them. */
  readonly written: string;
}

/** BigQuery's named arguments: contribution_bounds_per_row clamps each value, contribution_bounds_per_group a unit's sum in a group. */
export interface AggregateBounds {
  readonly per: "row" | "group";
  readonly lo: number;
  readonly hi: number;
  /**
   * Marks bounds that were found or assumed in the place of auto. A measurement within such bounds is shared with no other, even
   * where bounds are alike.
   */
  readonly learned?: true;
}

/** Bounds, or contribution_bounds_per_row => auto: bounds to be learned from the data, for all groups together. */
export type AskedBounds = AggregateBounds | { readonly per: "auto" };

/** `key` and `aggregate` index groupBy and aggregates. */
export type OutputColumn =
  | { readonly name: string; readonly kind: "key"; readonly key: number }
  | { readonly name: string; readonly kind: "aggregate"; readonly aggregate: number }
  /** A column computed from released keys and aggregates: a number has an interval; a text, a boolean or a time has none. */
  | {
      readonly name: string;
      readonly kind: "computed";
      readonly type: Domain["type"];
      readonly expression: PostExpression;
    }
  /** An end of the interval of another column. `output` is that column's place in the select list. */
  | {
      readonly name: string;
      readonly kind: "interval-end";
      readonly end: "lower" | "upper";
      readonly output: number;
    };

/** Operations on released rows alone. */
export interface PostProcessing {
  readonly having: PostExpression | null;
  readonly orderBy: readonly {
    readonly by: PostExpression;
    readonly descending: boolean;
    readonly nullsFirst: boolean;
  }[];
  readonly limit: number | null;
  readonly offset: number;
}

/**
 * A scalar expression over one released row. With n = groupBy.length, key n + i is 1 where key i is grouped away, else 0, and key
 * 2n + i is 1 where the row stands for all groups of key i that are not released. The latter exist only with groupings whose keys
 * are data.
 */
export type PostExpression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "key"; readonly key: number }
  | { readonly kind: "aggregate"; readonly aggregate: number }
  | { readonly kind: "call"; readonly operator: PostOperator; readonly args: readonly PostExpression[] }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: PostExpression; readonly then: PostExpression }[];
      readonly otherwise: PostExpression;
    };

/** The price, limits and bounds that the question itself states; null for each that it does not state. */
export interface QuestionOptions {
  readonly epsilon: Rational | null;
  readonly delta: Rational | null;
  readonly maxGroupsContributed: number | null;
  readonly maxRowsContributed: number | null;
  readonly groupSelection: "public" | "private" | null;
  readonly mechanism: "laplace" | "gaussian" | null;
  /** Must equal the policy's unit column when stated: an analyst can name the unit, never choose it. */
  readonly privacyUnitColumn: string | null;
  /** The fewest units of a group that may be released. It raises the selection threshold. */
  readonly minPrivacyUnitsPerGroup: number | null;
  /** The half-width that no answer's interval may exceed, in the question's units. It is stated instead of ε. */
  readonly targetError: Rational | null;
  /** The same half-width as a share of the numbers of an earlier release or a pilot, else, for counts, of the policy's expected_rows. */
  readonly targetErrorRelative: Rational | null;
  /** The request whose released numbers the share refers to. */
  readonly targetRelease: string | null;
  /**
   * The price of a pilot, which asks first for the numbers that the share refers to. The answer bought with them costs at most
   * `maxEpsilon`.
   */
  readonly pilotEpsilon: Rational | null;
  readonly maxEpsilon: Rational | null;
  /** The number of rows of the smallest group that the target is meant for, where the half-width depends on the group's size. */
  readonly targetRows: number | null;
  /** Whether an answer that is known to say next to nothing is paid for all the same. It changes no answer. */
  readonly acceptUninformative: boolean | null;
}
