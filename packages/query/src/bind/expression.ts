import type { Domain } from "./domain.ts";

/** A row-level expression with names resolved and its domain known. Total on every row: where SQL would raise, it is NULL. */
export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null; readonly domain: Domain }
  | ColumnExpression
  | {
      readonly kind: "call";
      readonly operator: Operator;
      readonly args: readonly Expression[];
      readonly domain: Domain;
    }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
      readonly otherwise: Expression;
      readonly domain: Domain;
    };

export interface ColumnExpression {
  readonly kind: "column";
  /** The source in the question's relation; absent where that is a single table. */
  readonly source?: string;
  /** The policy's name of the column. */
  readonly name: string;
  readonly domain: Domain;
}

/** One name for each column of a question. */
export function columnId({ source, name }: Pick<ColumnExpression, "source" | "name">): string {
  return source === undefined ? name : JSON.stringify([source, name]);
}

/** The parts of an expression. */
export function children(expression: Expression): readonly Expression[] {
  if (expression.kind === "call") return expression.args;
  if (expression.kind !== "case") return [];
  return [...expression.branches.flatMap(({ when, then }) => [when, then]), expression.otherwise];
}

/** The allow-list. Every operator has a domain rule (bind/operators) and a total rendering in every dialect. */
export type Operator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "negate"
  | "abs"
  | "sign"
  | "floor"
  | "ceil"
  | "round"
  | "trunc"
  | "width_bucket"
  /** The number of ends behind which a number lies: {@link ../learned/bound-cells.ts}. No question can write it. */
  | "cell-among"
  | "sqrt"
  | "ln"
  | "log10"
  | "exp"
  | "power"
  | "least"
  | "greatest"
  | "coalesce"
  | "nullif"
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "is-distinct"
  | "is-not-distinct"
  | "and"
  | "or"
  | "not"
  | "is-null"
  | "is-not-null"
  | "is-true"
  | "is-false"
  | "in"
  | "like"
  | "lower"
  | "upper"
  | "trim"
  | "length"
  | "left"
  | "right"
  | "substr"
  | "ltrim"
  | "rtrim"
  | "replace"
  | "strpos"
  | "concat"
  | "to-number"
  | "to-integer"
  | "to-text"
  | "to-boolean"
  | "to-date"
  | "to-timestamp"
  | "date-trunc"
  | "extract"
  | "add-interval"
  | "days-between";
