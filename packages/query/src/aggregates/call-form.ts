import type { Expression } from "../expressions/expression.ts";
import type { ArgumentPair } from "./argument-pair.ts";
import type { AskedBounds } from "./bounds/aggregate-bounds.ts";
import type { Aggregate } from "./kinds.ts";
import type { PostExpression } from "./post-expression.ts";

/** The form of an aggregate's call, named for what it reads. */
export type CallForm = RowsForm | NumberForm | PairForm | ComputedForm | ShareForm;

/** COUNT of rows or of an argument, COUNT_IF of a condition, and a count of distinct values. */
export type RowsForm = CountForm<"rows"> | CountForm<"condition"> | CountForm<"distinct">;

interface CountForm<R> {
  readonly reads: R;
  readonly withinUnit: WithinUnit;
}

/** An aggregate of one number. */
export interface NumberForm {
  readonly reads: "number";
  /** The value of a unit's own rows that has this name, where there is one. */
  readonly withinUnit?: WithinUnit;
  of(argument: Expression, bounds: AskedBounds | null): Aggregate;
  /** The same of distinct values, where it is answered. */
  readonly ofDistinct?: (argument: Expression, bounds: AskedBounds | null) => Aggregate;
}

/** Aggregates of a unit's own rows that are computed exactly within the unit. */
export type WithinUnit = "count" | "sum" | "avg";

/** An aggregate of two numbers. */
export interface PairForm {
  readonly reads: "pair";
  of(pair: ArgumentPair): Aggregate;
}

/** A value that is computed from other aggregates of two numbers; `measure` measures one of them. */
export interface ComputedForm {
  readonly reads: "computed pair";
  of(pair: ArgumentPair, measure: (aggregate: Aggregate) => PostExpression): PostExpression;
}

/** Quantiles: of one share, at a share that is stated, or at several. */
export type ShareForm = { readonly reads: "share" } & QuantileForm;

export type QuantileForm =
  | { readonly form: "fixed"; readonly share: number; readonly standsFor: "min" | "max" | null }
  | { readonly form: "stated" }
  | { readonly form: "several" };

/** The bounds that the calls of a family may state. */
export interface BoundsForm {
  /** The reason why none may be stated, and what is accepted; null where some may. */
  readonly none: { readonly reason: string; readonly fix: string } | null;
  /** The reason why none may be stated for a group; null where they may. */
  readonly noneForGroups: string | null;
  /** The reason why none may be stated for a row; absent where they may. */
  readonly noneForRows?: string;
  /** Whether bounds stated for a group clamp each row, by which a unit's average lies within them. Absent where they clamp a unit's sum. */
  readonly groupsBoundRows?: true;
  /** Whether bounds of rows can be learned. */
  readonly learned: boolean;
}
