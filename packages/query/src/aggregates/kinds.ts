import type { AverageTypes } from "./average/average-types.ts";
import type { CountTypes } from "./count/count-types.ts";
import type { CovarianceTypes } from "./covariance/covariance-types.ts";
import type { QuantileTypes } from "./quantile/quantile-types.ts";
import type { SkewnessTypes } from "./skewness/skewness-types.ts";
import type { SpreadTypes } from "./spread/spread-types.ts";
import type { SumTypes } from "./sum/sum-types.ts";

/** The types of every family of aggregates: as it is asked, as it is planned, and the integers that the engine sums for it. */
export type KnownTypes =
  | CountTypes
  | SumTypes
  | AverageTypes
  | SpreadTypes
  | SkewnessTypes
  | CovarianceTypes
  | QuantileTypes;

/** An aggregate of a question with every name resolved. */
export type Aggregate = KnownTypes["asked"];

/** An answer as it is computed from measurements and trees, by their names, in the question's units. Post-processing. */
export type PlannedAggregate = KnownTypes["planned"];

/**
 * One integer the engine computes a group: Σ over the group's units of the unit's clamped value
 *   count        min(n, r)                         n = the unit's rows in the group where argument is not NULL
 *   sum          clamp(Σ i, lo, hi)                i = grid(argument), the clamped integer, or with factors the product of
 *                                                  grid(factor)^power over them; 0 where n = 0
 *   scaled-sum   round((Σ (i − mid))·min(n, r)/n)  within ±half·r since |i − mid| ≤ half; 0 where n = 0
 *   scaled-squares  the same of (i − mid)²         within [0, half²·r]
 *   scaled-cubes  the same of (i − mid)³           within ±half³·r
 *   scaled-products  the same of (i − mid)(j − otherMid)   within ±half·otherHalf·r
 *   units        1
 *   units-with   1 where n > 0, else 0
 *   distinct     the values of argument, at most `most` of them: those of least keyed hash of (unit, group, value); in place
 *                of Σ the size of their union over the units
 *   distinct-powers  likewise of the grid integers i: Σ (i − mid)^power over that union
 * where round(x) = ⌊x + ½⌋. With unit: row a unit has one row, so n = r = 1 and no unit is named.
 * An argument whose domain is not nullable is never NULL: where its value is missing all the same, it counts as the
 * grid integer nearest 0.
 */
export type SumColumn = KnownTypes["sum"];

/** With a name that nothing else of its kind in a question or a plan has. */
export type Named<T> = T & { readonly name: string };

export type AggregateKind = Aggregate["kind"];
