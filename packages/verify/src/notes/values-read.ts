import type { Expression, Grid, Plan, PlannedAggregate, SumColumn } from "@lethe/query";
import { named } from "../derive/named.ts";

export type Kind = PlannedAggregate["kind"];

/** A value that an answer is made of; its grid is null where values are only told apart. */
export interface ValueRead {
  readonly kind: Kind;
  readonly argument: Expression;
  readonly grid: Grid | null;
  /** Whether it is a product of clamped factors, and is not clamped itself. */
  readonly isProduct?: boolean;
  /** Whether each value counts once. */
  readonly isDistinct?: boolean;
}

/** Yields the values that each answer reads of a row beyond whether it is there, in the order of the answers. */
export function* valuesRead(plan: Plan): Iterable<ValueRead> {
  for (const aggregate of plan.aggregates) {
    const { kind } = aggregate;
    for (const part of partsOf(aggregate, plan)) yield { kind, ...part };
  }
}

type Part = Omit<ValueRead, "kind">;

function partsOf(aggregate: PlannedAggregate, plan: Plan): readonly Part[] {
  if (aggregate.kind === "quantile") return [partOf(named(plan.trees ?? [], aggregate.tree))];
  // A count is of rows, whatever values it is read from beside others.
  if (aggregate.kind === "count" && isCombined(aggregate.count, plan)) return [];
  return sumsOf(measuredBy(aggregate), plan).flatMap(summedBy);
}

function isCombined(total: string, { combined = [] }: Plan): boolean {
  return combined.some(({ name }) => name === total);
}

/** Returns the sums that a total is made of: of one that is read from several measurements, those of the first. */
export function sumsOf(total: string, { combined = [], measurements, sums }: Plan): readonly SumColumn[] {
  const first = combined.find(({ name }) => name === total)?.terms[0]?.measurement;
  return named(measurements, first ?? total).terms.map((term) => named(sums, term.sum));
}

/** Returns the measurement that holds the values themselves: for a variance their sum will do, whose argument is the same. */
function measuredBy(aggregate: Exclude<PlannedAggregate, { readonly kind: "quantile" }>): string {
  if (aggregate.kind === "count") return aggregate.count;
  return aggregate.kind === "covariance" ? aggregate.products : aggregate.sum;
}

/** Returns the values that a column adds up or tells apart; none where it counts. */
export function summedBy(sum: SumColumn): readonly Part[] {
  if (sum.kind === "units" || sum.kind === "units-with" || sum.kind === "count") return [];
  if (sum.kind === "distinct") return [{ argument: sum.argument, grid: null }];
  if (sum.kind === "sum" && sum.factors) return [{ ...partOf(sum), isProduct: true }];
  if (sum.kind === "distinct-powers") return [{ ...partOf(sum), isDistinct: true }];
  return sum.kind === "scaled-products" ? [partOf(sum), partOf(sum.other)] : [partOf(sum)];
}

function partOf({ argument, grid }: { readonly argument: Expression; readonly grid: Grid }): Part {
  return { argument, grid };
}
