import type { Event, Noise, PrivacyLossText, SelectionRule } from "@lethe/core";
import type { OutputColumn, PostProcessing } from "../bind/bound-query.ts";
import type { Expression } from "../bind/expression.ts";
import type { Relation } from "../bind/relation.ts";
import type { TimeType } from "../calendar/times.ts";
import type { Adjacency, ColumnPolicy } from "../policy/policy.ts";
import type { Grid } from "./grid.ts";

export type { Grid };

/**
 * What will be computed: typed, serializable (JSON; exact numbers as texts), a function of the question and the policy
 * alone. The certificate carries it whole, so anyone can derive the price again.
 */
export type Plan = PlanBody & PlanRows;

/**
 * The rows asked about: of one table whose rows name their unit, as the first certificates say it, or of any relation.
 * {@link ./plan-relation.ts} makes one of the two.
 */
export type PlanRows =
  | {
      readonly table: string;
      /**
       * The policy of every column that the question reads: a value means what remains of it after this cleaning. All of
       * the table's where rows are bounded before the filter, for each has a part in the row's hash.
       */
      readonly columns: Readonly<Record<string, ColumnPolicy>>;
    }
  | { readonly from: Relation };

export interface PlanBody {
  readonly version: 1;
  /** The question as it was asked. */
  readonly text: string;
  /** The values of its $1, $2 …; not there where it has none. */
  readonly parameters?: readonly PlannedKeyValue[];
  /** sha256 of the policy's canonical form. */
  readonly policyHash: string;
  readonly unit: PlannedUnit;
  readonly adjacency: Adjacency;
  readonly contribution: PlannedContribution;
  /**
   * The most joined rows that one private row may stand in (work/joined-rows.ts), under the limits of the tables in `from`; not there
   * where nothing is joined or looked up.
   */
  readonly joinedRows?: number;
  readonly where: Expression | null;
  readonly keys: PlannedKeys;
  /**
   * Where several groupings are asked at once: of each the places of its keys, in the order of the answer. What is measured is
   * grouped by all keys; where those are public, a row of a coarser grouping is made of the sums of noisy integers over the
   * groups that agree in its keys. Not there for the one grouping by all keys.
   */
  readonly groupings?: readonly (readonly number[])[];
  /**
   * Of several groupings by keys that are data: what is measured of coarser ones. Each of these is of all groups that agree in
   * its keys, released or not, as far as units contribute to them.
   */
  readonly totals?: readonly PlannedTotals[];
  readonly sums: readonly SumColumn[];
  readonly measurements: readonly Measurement[];
  /** What quantiles are read from; absent where none is asked for. */
  readonly trees?: readonly TreeMeasurement[];
  /** Where bounds are learned before the rest is measured; absent where all are known. */
  readonly learned?: LearnedBounds;
  readonly aggregates: readonly PlannedAggregate[];
  readonly outputs: readonly OutputColumn[];
  readonly post: PostProcessing;
  readonly event: Event;
  /** In the account's measure; δ is the target at which Gaussian noise was priced. */
  readonly price: PrivacyLossText;
}

/** Who is protected. */
export type PlannedUnit = {
  /**
   * Several tables of the policy are private, so that a unit may have no row in any one of them, or the database computes the
   * rows of the only one and may leave some out. Not there where one table holds all units, nor in the first certificates, of which `verify` asks what rests on it.
   */
  readonly shared?: true;
} & (
  | {
      /** Each row is a unit's only one: a unit of its own, or what a unit's rows were made into. */
      readonly kind: "row";
    }
  | {
      readonly kind: "column";
      /** Whose values are the units; behind its table where the question reads more than that table. */
      readonly column: string;
    }
);

/**
 * What is bounded and when: part of the question's meaning.
 *   groups-after-filter  of the rows that the question is about a unit counts in k groups, those that come first in its
 *                        order, as r rows in each
 *   rows-before-filter   of a unit's rows in the table k·r are kept, those of least keyed hash, and then the question is
 *                        asked: in the sums below n ≤ k·r stands for r
 */
export interface PlannedContribution {
  readonly bound: "groups-after-filter" | "rows-before-filter";
  /** k */
  readonly groups: number;
  /** r */
  readonly rows: number;
  /** Whether the engine must enforce k and r; not for unit: row, where they hold by themselves. */
  readonly enforced: boolean;
  /**
   * By which order a unit's groups are chosen, where it may be in more than k. 2: by a polynomial of the unit's keyed number and
   * the group's (compile/group-order.ts). Not there in the first certificates, of md5 of both.
   */
  readonly order?: 2;
}

export interface PlannedKeys {
  readonly expressions: readonly Expression[];
  readonly program: PlannedKeyProgram;
}

/**
 * {@link ./release-program.ts} turns it into core's KeyProgram. Rows whose key is not declared are dropped before
 * contributions are bounded, so that k counts answered groups only.
 */
export type PlannedKeyProgram =
  | { readonly kind: "none" }
  | { readonly kind: "public"; readonly declared: readonly (readonly PlannedKeyValue[])[] }
  | { readonly kind: "private"; readonly rule: SelectionRule };

/** A key's part in JSON: an integer key is a number here and a bigint in a release program. */
export type PlannedKeyValue = string | number | boolean | null;

/**
 * One integer the engine computes a group: Σ over the group's units of the unit's clamped value
 *   count        min(n, r)                         n = the unit's rows in the group where argument is not NULL
 *   sum          clamp(Σ i, lo, hi)                i = grid(argument), the clamped integer; 0 where n = 0
 *   scaled-sum   round((Σ (i − mid))·min(n, r)/n)  within ±half·r since |i − mid| ≤ half; 0 where n = 0
 *   scaled-squares  the same of (i − mid)²         within [0, half²·r]
 *   scaled-products  the same of (i − mid)(j − otherMid)   within ±half·otherHalf·r
 *   units        1
 *   units-with   1 where n > 0, else 0
 *   distinct     the values of argument, at most `most` of them: those of least keyed hash of (unit, group, value); in place
 *                of Σ the size of their union over the units
 * where round(x) = ⌊x + ½⌋. With unit: row a unit has one row, so n = r = 1 and no unit is named.
 * An argument whose domain is not nullable is never NULL: where its value is missing all the same, it counts as the
 * grid integer nearest 0.
 */
export type SumColumn =
  | { readonly kind: "units" }
  | { readonly kind: "units-with"; readonly argument: Expression }
  | { readonly kind: "distinct"; readonly argument: Expression; readonly most: number }
  | {
      readonly kind: "scaled-products";
      readonly argument: Expression;
      readonly grid: Grid;
      readonly mid: string;
      readonly half: string;
      /** NULL where the argument is, and only there. */
      readonly other: {
        readonly argument: Expression;
        readonly grid: Grid;
        readonly mid: string;
        readonly half: string;
      };
    }
  | { readonly kind: "count"; readonly argument: Expression | null }
  | {
      readonly kind: "sum";
      readonly argument: Expression;
      readonly grid: Grid;
      readonly lo: string;
      readonly hi: string;
    }
  | {
      readonly kind: "scaled-sum" | "scaled-squares";
      readonly argument: Expression;
      readonly grid: Grid;
      readonly mid: string;
      readonly half: string;
    };

/** One noisy integer a group: Σ coefficient · sums[column] + noise. Sensitivities are of the integer vector over groups. */
export interface Measurement {
  readonly id: string;
  readonly describes: string;
  readonly terms: readonly { readonly column: number; readonly coefficient: string }[];
  readonly l1: string;
  readonly l2Squared: string;
  readonly noise: Noise;
}

/**
 * Noisy integers of a hierarchy of cells a group: the argument's grid integers from lo on, cellWidth to a cell, are cells
 * 0, 1, …; level d = 1 … height has branching^d nodes, each the sum of the cells below it, and every node of every level
 * gets noise of its own. To its cells a unit adds
 *   c·⌊rowWeight·min(n, r)/n⌋            c, n = its rows in the cell, and in the group, where the argument is not NULL.
 * Sensitivities are of the integer vector over groups and nodes. An answer reads it as quantiles of rows, each of weight
 * min(n, r)/n.
 */
export interface TreeMeasurement {
  readonly id: string;
  readonly describes: string;
  readonly argument: Expression;
  readonly grid: Grid;
  readonly cellWidth: string;
  readonly branching: number;
  readonly height: number;
  readonly rowWeight: number;
  readonly l1: string;
  readonly l2Squared: string;
  readonly noise: Noise;
}

/**
 * Bounds that are learned from the data, in stages before all else. What every stage costs stands in the event, fixed before any
 * is run: `nominal` are the noises of all measurements and then of all trees as they are priced, at sensitivities that stand
 * for every one that bounds may bring. Grids and noises of this plan are those of the bounds in `stages`.
 */
export interface LearnedBounds {
  readonly stages: readonly BoundsStage[];
  readonly nominal: readonly NominalNoise[];
}

/** Noisy counts of the cells of one argument: of the intervals between public ends (learned/bound-cells.ts), for all groups together. */
export interface BoundsStage {
  readonly id: string;
  readonly argument: Expression;
  /** Increasing. */
  readonly ends: readonly number[];
  readonly l1: string;
  readonly l2Squared: string;
  readonly noise: Noise;
  /** The noisy counts, 2^20 to a row; null before they are drawn. */
  readonly counts: readonly number[] | null;
  /** What chooseBounds makes of them; assumed as long as there are none. */
  readonly bounds: readonly [number, number];
}

/** A noise at the sensitivities at which the event lists it. */
export interface NominalNoise {
  readonly noise: Noise;
  readonly l1: string;
  readonly l2Squared: string;
}

/** The measurements of a coarser grouping. */
export interface PlannedTotals {
  /** Its keys, as places among the plan's. */
  readonly keys: readonly number[];
  /** Its part of what all measurements of counts and sums may cost, those of the groups by all keys included. */
  readonly share: string;
  /**
   * All its keys, where those are public: each is answered, and coarser groupings of public keys add them up. Else those are
   * answered that a released group belongs to.
   */
  readonly declared?: readonly (readonly PlannedKeyValue[])[];
  /** The plan's, in their order and of the same terms, with sensitivities and noise of their own. */
  readonly measurements: readonly Measurement[];
}

/** How an answer is made of measurements (indices), in the question's units. Post-processing. */
export type PlannedAggregate =
  | { readonly kind: "count"; readonly count: number }
  /** value = measurement · 2^exponent */
  | { readonly kind: "sum"; readonly sum: number; readonly exponent: number }
  /** value = (mid + sum/count) · 2^exponent, kept within bounds (grid integers lo, hi). */
  | {
      readonly kind: "avg";
      readonly sum: number;
      readonly count: number;
      readonly mid: string;
      readonly half: string;
      readonly exponent: number;
    }
  /**
   * squares measures Σ((i − mid)² − offset), sum measures Σ(i − mid), offset = half²/2 (rounded):
   * v = squares/count + offset − (sum/count)².
   */
  | {
      readonly kind: "variance" | "stddev";
      readonly population: boolean;
      readonly squares: number;
      readonly sum: number;
      readonly count: number;
      readonly half: string;
      readonly offset: string;
      readonly exponent: number;
    }
  /**
   * products measures Σ(i − mid)(j − otherMid), sum and otherSum Σ(i − mid) and Σ(j − otherMid):
   * c = products/count − (sum/count)·(otherSum/count).
   */
  | {
      readonly kind: "covariance";
      readonly population: boolean;
      readonly products: number;
      readonly sum: number;
      readonly otherSum: number;
      readonly count: number;
      readonly half: string;
      readonly otherHalf: string;
      /** Of the product of both steps. */
      readonly exponent: number;
    }
  /** The smallest value with this share of the rows up to it, of `trees[tree]`; the one that stands for MIN or MAX says so. */
  | {
      readonly kind: "quantile";
      readonly tree: number;
      readonly share: number;
      readonly standsFor: "min" | "max" | null;
      /** The tree's values are days since 1970-01-01, or seconds, and the answer is a time. Absent for numbers. */
      readonly time?: TimeType;
    };
