import type { Rational } from "@lethe/core";
import type { Aggregate, Named } from "../../aggregates/kinds.ts";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import type { Domain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { OverRelation, ReleasedRelation } from "../../over/over-relation.ts";
import type { ParameterValue } from "../../parse/parameters.ts";
import type { Relation } from "../../relations/relation.ts";

export type { AggregateBounds, AskedBounds } from "../../aggregates/bounds/aggregate-bounds.ts";
export type { Covariance } from "../../aggregates/covariance/covariance-types.ts";
export type { QuantileAggregate } from "../../aggregates/quantile/quantile-types.ts";
export type { Aggregate, PostExpression };

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
  readonly groupBy: readonly NamedKey[];
  /** The names of the keys of each grouping, in the order of groupBy, where several groupings are asked at once. Absent for groupBy alone. */
  readonly groupings?: readonly (readonly string[])[];
  /** The name of an aggregate is the SQL that is read back as the same one. */
  readonly aggregates: readonly Named<Aggregate>[];
  /** Select list, in order. */
  readonly outputs: readonly OutputColumn[];
  readonly post: PostProcessing;
  /** What is made of the released rows, where the question is a SELECT over an answer. Absent elsewhere. */
  readonly over?: OverRelation;
  /** The other questions whose answers `over` reads, each by its name. They state the same options. Absent where there is one question. */
  readonly others?: readonly { readonly name: string; readonly query: ResolvedQuery }[];
  /** The values of answers that questions of the text read, each of answers before them. Absent where none does. */
  readonly released?: readonly ReleasedRelation[];
  readonly options: QuestionOptions;
  /** The day that CURRENT_DATE and now() stood for, YYYY-MM-DD in UTC; absent where the text asks for neither. */
  readonly today?: string;
}

/** An expression that rows are grouped by. Its name is its SQL, which no other key of the question has. */
export interface NamedKey {
  readonly name: string;
  readonly expression: Expression;
}

/** A column of the answer: `key` and `aggregate` are names. */
export type OutputColumn =
  | { readonly name: string; readonly kind: "key"; readonly key: string }
  | { readonly name: string; readonly kind: "aggregate"; readonly aggregate: string }
  /** A column computed from released keys and aggregates: a number has an interval; a text, a boolean or a time has none. */
  | {
      readonly name: string;
      readonly kind: "computed";
      readonly type: Domain["type"];
      readonly expression: PostExpression;
    }
  /** An end of the interval of another column. `output` is that column's name. */
  | {
      readonly name: string;
      readonly kind: "interval-end";
      readonly end: "lower" | "upper";
      readonly output: string;
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

/** The price, limits and bounds that the question itself states; null for each that it does not state. */
export interface QuestionOptions {
  readonly epsilon: Rational | null;
  readonly delta: Rational | null;
  readonly maxGroupsContributed: number | null;
  /** The most rows of a unit in all groups together. It stands instead of maxGroupsContributed. */
  readonly maxRowsContributed: number | null;
  readonly maxRowsPerGroup: number | null;
  readonly groupSelection: "public" | "private" | null;
  /** Whether public keys that the WHERE excludes are answered all the same: a model has a number for every category. Beside a question alone. */
  readonly everyPublicKey: true | null;
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
  /** The most that a test of membership may gain over guessing from this question: true positives less false ones. It is stated instead of ε. */
  readonly advantage: Rational | null;
  /** The number of rows of the smallest group that the target is meant for, where the half-width depends on the group's size. */
  readonly targetRows: number | null;
  /** Whether an answer that is known to say next to nothing is paid for all the same. It changes no answer. */
  readonly acceptUninformative: boolean | null;
}
