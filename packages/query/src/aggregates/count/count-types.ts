import type { Expression } from "../../expressions/expression.ts";

export interface CountTypes {
  readonly asked: CountAggregate;
  readonly planned: PlannedCount;
  readonly sum: CountSum;
}

export type CountAggregate =
  /** COUNT(*) — rows, or rows where `argument` is not NULL. */
  | { readonly kind: "count"; readonly argument: Expression | null }
  /** COUNT(DISTINCT unit). */
  | { readonly kind: "count-units" }
  /** COUNT(DISTINCT unit) FILTER (WHERE …): units with a row where `argument` is not NULL. `written` is the condition as SQL. */
  | { readonly kind: "count-units-with"; readonly argument: Expression; readonly written: string }
  /** COUNT(DISTINCT x): values that are not NULL. */
  | { readonly kind: "count-distinct"; readonly argument: Expression };

export interface PlannedCount {
  readonly kind: "count";
  readonly count: string;
}

export type CountSum =
  | { readonly kind: "units" }
  | { readonly kind: "units-with"; readonly argument: Expression }
  | { readonly kind: "distinct"; readonly argument: Expression; readonly most: number }
  | { readonly kind: "count"; readonly argument: Expression | null };
