import type { Domain } from "./domain.ts";
import type { Operator } from "./operator.ts";

/** A row-level expression with names resolved and its domain known. Total on every row: where SQL would raise, it is NULL. */
export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null; readonly domain: Domain }
  | ColumnExpression
  | ReleasedExpression
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

/**
 * A value that is released before the rows are read: that of a subquery which reads answers to questions before this one. It is the same for
 * every row, and public by then. The domain holds whatever value it may be, so nothing that is derived of a question depends on which one it is.
 */
export interface ReleasedExpression {
  readonly kind: "released";
  /** The subquery as it is written: the name by which the text knows the relation that the value is of. */
  readonly sql: string;
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
