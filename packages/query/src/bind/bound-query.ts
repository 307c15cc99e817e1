import type { Rational } from "@lethe/core";
import type { TimeType } from "../calendar/times.ts";
import type { ParameterValue } from "../parse/parameters.ts";
import type { Domain } from "./domain.ts";
import type { Expression } from "./expression.ts";
import type { PostOperator } from "./operator.ts";
import type { Relation } from "./relation.ts";

/** A question with every name resolved against the policy's catalog. What the planner reads. */
export interface BoundQuery {
  readonly text: string;
  /** The values of $1, $2 …, which stand in its expressions as literals. */
  readonly parameters: readonly ParameterValue[];
  /** The policy's views that it reads; absent where there are none. */
  readonly views?: readonly string[];
  /** The rows asked about; its tables name every column that may be read. */
  readonly from: Relation;
  readonly where: Expression | null;
  readonly groupBy: readonly Expression[];
  /** Where several groupings are asked at once: of each its keys, as places in groupBy. Not there for groupBy alone. */
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
  /** COUNT(DISTINCT unit) FILTER (WHERE written): units with a row where `argument` is not NULL. */
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
      /** Over n (VAR_POP) or n − 1 (VAR_SAMP, VARIANCE). */
      readonly population: boolean;
      readonly argument: Expression;
      readonly bounds: AskedBounds | null;
      /** What is counted in the argument's place: NULL where it is, and only there. */
      readonly present?: Expression;
    }
  | QuantileAggregate;

/** The smallest value with at least this share of the rows up to it. */
export interface QuantileAggregate {
  readonly kind: "quantile";
  /** From 0 to 1. */
  readonly share: number;
  /** What was asked for, where this quantile stands for it. */
  readonly standsFor: "min" | "max" | null;
  /** The argument stands for a time: days since 1970-01-01, or seconds. Absent for numbers. */
  readonly time?: TimeType;
  readonly argument: Expression;
  readonly bounds: AggregateBounds | null;
}

/** Of rows where neither is NULL: `argument` and `other` are NULL on all others, both together. */
export interface Covariance {
  readonly kind: "covariance";
  /** Over n (COVAR_POP) or n − 1 (COVAR_SAMP). */
  readonly population: boolean;
  readonly argument: Expression;
  readonly other: Expression;
  /** The one of both whose rows are counted. */
  readonly present: Expression;
  /** The arguments as the question has them. */
  readonly written: string;
}

/** BigQuery's named arguments: contribution_bounds_per_row clamps each value, contribution_bounds_per_group a unit's sum in a group. */
export interface AggregateBounds {
  readonly per: "row" | "group";
  readonly lo: number;
  readonly hi: number;
  /** Found or assumed in the place of auto: what is measured within such bounds is nothing else's, even where bounds are alike. */
  readonly learned?: true;
}

/** contribution_bounds_per_row => auto: to be learned from the data, for all groups together. */
export type AskedBounds = AggregateBounds | { readonly per: "auto" };

/** `key` and `aggregate` index groupBy and aggregates. */
export type OutputColumn =
  | { readonly name: string; readonly kind: "key"; readonly key: number }
  | { readonly name: string; readonly kind: "aggregate"; readonly aggregate: number }
  /** Made of released keys and aggregates: a number has an interval, a text, a boolean or a time has none. */
  | {
      readonly name: string;
      readonly kind: "computed";
      readonly type: Domain["type"];
      readonly expression: PostExpression;
    }
  /** An end of the interval of another column, by its place in the select list. */
  | {
      readonly name: string;
      readonly kind: "interval-end";
      readonly end: "lower" | "upper";
      readonly output: number;
    };

/** Works on released rows alone. */
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
 * Scalar expressions over one released row. A key from groupBy.length on is 1 where the key so many places before it is
 * grouped away, else 0; from twice that on 1 where the row stands for all groups of that key that are not released, where keys
 * are data: there are such only with groupings.
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

/** What the question itself says about its price and its bounds; null where it is silent. */
export interface QuestionOptions {
  readonly epsilon: Rational | null;
  readonly delta: Rational | null;
  readonly maxGroupsContributed: number | null;
  readonly maxRowsContributed: number | null;
  readonly groupSelection: "public" | "private" | null;
  readonly mechanism: "laplace" | "gaussian" | null;
  /** Must equal the policy's unit column when stated: an analyst can name the unit, never choose it. */
  readonly privacyUnitColumn: string | null;
  /** Groups of fewer units are never released: raised into the selection threshold. */
  readonly minPrivacyUnitsPerGroup: number | null;
  /** Instead of ε: the half-width that no answer's interval may exceed, in the question's units. */
  readonly targetError: Rational | null;
  /** The same as a share: of the numbers of an earlier release or a pilot, else, for counts, of the policy's expected_rows. */
  readonly targetErrorRelative: Rational | null;
  /** The request whose released numbers the share is of. */
  readonly targetRelease: string | null;
  /** The price of asking first for the numbers that the share is of; what is bought with them costs at most `maxEpsilon`. */
  readonly pilotEpsilon: Rational | null;
  readonly maxEpsilon: Rational | null;
  /** Rows of the smallest group that the target is meant for, where the half-width depends on the group's size. */
  readonly targetRows: number | null;
  /** An answer that is known to say next to nothing is paid for all the same. It changes no answer. */
  readonly acceptUninformative: boolean | null;
}
