import type { PostExpression } from "@lethe/query";
import { evaluate, type PostRow, type PostValue } from "../post/evaluate.ts";
import type { Estimate, ReleasedCell } from "../release.ts";
import type { NoisyForm } from "./noisy-form.ts";

/** A cell of the rows that a SELECT over an answer goes through. */
export interface OverCell {
  readonly value: PostValue;
  /** The cell of the answer that this one is a copy of; absent of one that was made. */
  readonly copied?: ReleasedCell;
  /** Whether the value has no noise in it: a key of the answer, or a constant. */
  readonly exact: boolean;
  /** The value by the noisy integers that it is made of; null where it is no sum or ratio of them. */
  readonly form: NoisyForm | null;
  /** Returns the interval of a value that has one and no form. */
  readonly interval?: () => Estimate;
}

/** A row by the names of its columns. */
export type OverRow = ReadonlyMap<string, OverCell>;

/** A cell that was made, and of which nothing is known but its value. */
export function madeCell(value: PostValue): OverCell {
  return { value, exact: false, form: null };
}

/** Prepares a row for expressions, in which `key` names its columns. */
export function expressionRow(row: OverRow): PostRow {
  return {
    keys: new Map([...row].map(([name, { value }]) => [name, value])),
    away: new Set(),
    others: new Set(),
    aggregates: new Map(),
  };
}

export function valueIn(row: OverRow, expression: PostExpression): PostValue {
  return evaluate(expression, expressionRow(row));
}
