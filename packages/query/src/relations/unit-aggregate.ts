import type { Expression } from "../expressions/expression.ts";
import type { Grid } from "../grid/grid.ts";

/**
 * One value of some rows of one unit, exact, and a function of those rows alone in whatever order they come:
 *   count           rows, or those where the argument is not NULL
 *   count-distinct  values of the argument that are not NULL
 *   sum             2^exponent·Σ i over the argument's grid integers, the sum of integers rounded to a double once
 *   avg             2^exponent·(lo + Σ (i − lo)/n), each of the three operations rounded to a double
 *   min, max        of the argument, as the value's own column keeps it; texts byte by byte
 * Values that are no counts are NULL where no row has an argument. A value means what its column keeps of it.
 */
export type UnitAggregate =
  | { readonly kind: "count"; readonly argument: Expression | null }
  | { readonly kind: "count-distinct"; readonly argument: Expression }
  | { readonly kind: "min" | "max"; readonly argument: Expression }
  | { readonly kind: "sum" | "avg"; readonly argument: Expression; readonly grid: Grid };

/** The values of some kinds. */
export type UnitAggregateOf<K extends UnitAggregate["kind"]> = UnitAggregate & { readonly kind: K };
