import type { Event, PrivacyLossText } from "@lethe/core";
import type { SelectionRule } from "@lethe/core/accounting";
import type { Noise } from "@lethe/core/mechanisms";
import type { Factor } from "../aggregates/factor.ts";
import type { Named, PlannedAggregate, SumColumn } from "../aggregates/kinds.ts";
import type { MeasuredTerm } from "../aggregates/measurer.ts";
import type { Expression } from "../expressions/expression.ts";
import type { Grid } from "../grid/grid.ts";
import type { OverRelation, ReleasedRelation } from "../over/over-relation.ts";
import type { Adjacency } from "../policy/policy.ts";
import type { Relation } from "../relations/relation.ts";
import type { NamedKey, OutputColumn, PostProcessing } from "../resolve/names/resolved-query.ts";

export type { Factor, Grid, PlannedAggregate, SumColumn };

/**
 * The computation that answers a question: typed, serializable (JSON; exact numbers as texts), a function of the question and the
 * policy alone. The certificate carries it whole, so anyone can derive the price again. Keys, sums, measurements, trees, stages, aggregates and
 * columns have names, by which the rest of the plan speaks of them: it holds no place of anything.
 */
export interface Plan {
  readonly version: 2;
  /** The question as it was asked. */
  readonly text: string;
  /** The values of its $1, $2 …; absent where it has none. */
  readonly parameters?: readonly PlannedKeyValue[];
  /** The day, YYYY-MM-DD in UTC, that the text's CURRENT_DATE, now() and the like stood for; absent where it asks for no such time. */
  readonly today?: string;
  /** sha256 of the policy's canonical form. */
  readonly policyHash: string;
  /**
   * The rows asked about. A table in it holds the policy of every column that the question reads: expressions see values after this cleaning. Where
   * rows are limited before the filter, these are all columns of the table, since each has a part in the row's hash.
   */
  readonly from: Relation;
  readonly unit: PlannedUnit;
  readonly adjacency: Adjacency;
  readonly contribution: PlannedContribution;
  /**
   * The most joined rows that one private row may stand in (work/joined-rows.ts), under the limits of the tables in `from`;
   * absent where nothing is joined or looked up.
   */
  readonly joinedRows?: number;
  readonly where: Expression | null;
  readonly keys: PlannedKeys;
  /**
   * The grouping sets, where several are asked at once: the names of the keys of each, in the order of the answer. Measurements
   * are grouped by all keys. Where those are public, a row of a coarser grouping is made of the sums of noisy integers over the
   * groups that agree in its keys. Absent for the one grouping by all keys.
   */
  readonly groupings?: readonly (readonly string[])[];
  /**
   * The measurements of coarser groupings, where keys are data. Each total covers all groups that agree in its keys, released or
   * not, as far as units contribute to them.
   */
  readonly totals?: readonly PlannedTotals[];
  readonly sums: readonly NamedSum[];
  readonly measurements: readonly Measurement[];
  /**
   * The names of measurements that have one noise together, set by set: vectors of integers ≥ 0 that add up, of each unit, to a constant times its
   * rows. Each member states the sensitivity of the whole vector, and the event lists a vector once. No measurement is in two. Absent where every
   * measurement has a noise of its own, as where several groupings are asked, or bounds are learned.
   */
  readonly joint?: readonly (readonly string[])[];
  /** Totals that are read from several measurements: answers name them as they name measurements. Absent where there is none. */
  readonly combined?: readonly CombinedTotal[];
  /** The trees that quantiles are read from; absent where none is asked for. */
  readonly trees?: readonly TreeMeasurement[];
  /** The bounds that are learned before the rest is measured; absent where all are known. */
  readonly learned?: LearnedBounds;
  readonly aggregates: readonly NamedAggregate[];
  readonly outputs: readonly OutputColumn[];
  readonly post: PostProcessing;
  /** The rows that are made of the released ones, where the question is a SELECT over an answer: `outputs` are the columns of that answer. Absent elsewhere. */
  readonly over?: OverRelation;
  /**
   * The other questions that the text asks, whose answers `over` reads beside this plan's own. All are answered under one charge: `event` is then the
   * composition of this plan's own event with theirs, in this order, and `price` that of the whole. Absent where the text asks one question.
   */
  readonly others?: readonly OtherPlan[];
  /**
   * The values of answers that stand in later questions as constants, which expressions name by their SQL. Whatever they are, sensitivities, noises and price are those of
   * the plan: losses add up over questions that are chosen by what was released before. Absent where no question reads any.
   */
  readonly released?: readonly ReleasedRelation[];
  /** The least ε that the policy sells a question for, as `epsilon` is stated: the price is no less. Absent where the policy states none. */
  readonly leastEpsilon?: string;
  readonly event: Event;
  /** The price in the account's measure; δ is the target at which Gaussian noise was priced. */
  readonly price: PrivacyLossText;
}

/** The plan of another question of the text. Its event and its price are its own: what it would cost alone, with the same noise. */
export interface OtherPlan {
  /** The name by which `over` speaks of its answer, which no other one has. */
  readonly name: string;
  readonly plan: Plan;
}

/** The unit that is protected. */
export type PlannedUnit = {
  /**
   * Whether a unit may have no row in the tables that are read: several tables of the policy are private, or the database
   * computes the rows of the only one and may leave some out. Absent where one table holds all units.
   */
  readonly shared?: true;
} & (
  | {
      /** The kind whose units have one row each: a row is a unit of its own, or a unit's rows were made into one. */
      readonly kind: "row";
    }
  | {
      readonly kind: "column";
      /** The column whose values are the units. Its table stands before it where the question reads more than that table. */
      readonly column: string;
    }
);

/**
 * The limits on a unit's contribution, and when they apply: part of the question's meaning.
 *   groups-after-filter  among the rows that the question is about, a unit counts in k groups, those that come first in its
 *                        order, as r rows in each
 *   rows-before-filter   k·r of a unit's rows in the table are kept, those of least keyed hash, and then the question is
 *                        asked: in the sums below n ≤ k·r stands for r
 */
export interface PlannedContribution {
  readonly limit: "groups-after-filter" | "rows-before-filter";
  /** k */
  readonly groups: number;
  /** r */
  readonly rows: number;
  /** Whether the engine must enforce k and r; not for unit: row, where they hold by themselves. */
  readonly enforced: boolean;
  /**
   * Whether a unit may be in more than k groups, so that k of them are chosen: by a polynomial of the unit's keyed number and the group's
   * (compile/physical/group-order.ts).
   */
  readonly choosesGroups: boolean;
}

/** A key of a group has these parts, in this order. */
export interface PlannedKeys {
  readonly parts: readonly NamedKey[];
  readonly program: PlannedKeyProgram;
}

/**
 * The keys whose groups are answered. {@link ./release-program.ts} turns it into core's KeyProgram. Rows whose key is not
 * declared are dropped before contributions are bounded, so that k counts answered groups only.
 */
export type PlannedKeyProgram =
  | { readonly kind: "none" }
  | { readonly kind: "public"; readonly declared: readonly (readonly PlannedKeyValue[])[] }
  | { readonly kind: "private"; readonly rule: SelectionRule };

/** One part of a key in JSON: an integer key is a number here and a bigint in a release program. */
export type PlannedKeyValue = string | number | boolean | null;

/** A sum of the plan with its name, which no other sum of the plan has. */
export type NamedSum = Named<SumColumn>;

/** An aggregate of the plan with its name, the SQL that asks for it, which no other aggregate of the plan has. */
export type NamedAggregate = Named<PlannedAggregate>;

/**
 * One noisy integer a group: Σ coefficient · sum + noise. The sensitivities are those of the integer vector over groups; of a measurement that has
 * its noise together with others, those of the vector of all of them.
 */
export interface Measurement {
  /** The thing that is measured, in words; no other measurement and no tree of the plan has this name. */
  readonly name: string;
  readonly terms: readonly MeasuredTerm[];
  readonly l1: string;
  readonly l2Squared: string;
  readonly noise: Noise;
}

/** A total that is no measurement: the integer nearest to Σ coefficient · measurement / divisor, halves upwards. Post-processing. */
export interface CombinedTotal {
  /** The thing that it is the number of, in words; no measurement and no tree has this name. */
  readonly name: string;
  readonly terms: readonly { readonly measurement: string; readonly coefficient: string }[];
  readonly divisor: string;
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
  readonly name: string;
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
 * Bounds that are learned from the data, in stages before all else. The price of every stage stands in the event, fixed before
 * any is run. `nominal` are the noises of all measurements and trees as they are priced, at sensitivities that stand
 * for every one that bounds may bring. Grids and noises of this plan are those of the bounds in `stages`.
 */
export interface LearnedBounds {
  readonly stages: readonly BoundsStage[];
  readonly nominal: readonly NominalNoise[];
}

/**
 * Noisy counts of the cells of one argument, which are the intervals between public ends (expressions/operators/bound-cells.ts), for all groups
 * together.
 */
export interface BoundsStage {
  readonly name: string;
  readonly argument: Expression;
  /** The ends of the cells, increasing. */
  readonly ends: readonly number[];
  readonly l1: string;
  readonly l2Squared: string;
  readonly noise: Noise;
  /** The noisy counts, 2^20 to a row; null before they are drawn. */
  readonly counts: readonly number[] | null;
  /** The bounds that chooseBounds makes of the counts; assumed bounds as long as there are no counts. */
  readonly bounds: readonly [number, number];
}

/** The noise of the measurement or tree of this name, at the sensitivities at which the event lists it. */
export interface NominalNoise {
  readonly name: string;
  readonly noise: Noise;
  readonly l1: string;
  readonly l2Squared: string;
}

/** The measurements of a coarser grouping. */
export interface PlannedTotals {
  /** The names of its keys, in the order of the plan's. */
  readonly keys: readonly string[];
  /** Its share of the price of all measurements of counts and sums, those of the groups by all keys included. */
  readonly share: string;
  /**
   * All its keys, where those are public. Each is answered, and coarser groupings of public keys add them up. Absent where keys
   * are data: then the totals that a released group belongs to are answered.
   */
  readonly declared?: readonly (readonly PlannedKeyValue[])[];
  /** The plan's measurements, by the same names and with the same terms, but with sensitivities and noise of their own. */
  readonly measurements: readonly Measurement[];
}
