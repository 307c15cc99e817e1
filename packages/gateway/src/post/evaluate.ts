import { type KeyValue, LetheError } from "@lethe/core";
import type { PostExpression, PostOperator } from "@lethe/query";

/** What a post-processing expression yields; null is SQL's unknown. */
export type PostValue = KeyValue;

/** One released row as HAVING and ORDER BY see it: noisy values only. */
export interface PostRow {
  readonly key: readonly KeyValue[];
  /** The estimate of aggregate i, or null. */
  readonly aggregates: readonly (number | null)[];
}

/** Evaluates over one released row, with SQL's three-valued logic. Never raises: what SQL would raise is null. */
export function evaluate(expression: PostExpression, row: PostRow): PostValue {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "key":
      return row.key[expression.key] ?? null;
    case "aggregate":
      return row.aggregates[expression.aggregate] ?? null;
    case "call":
      return operators[expression.operator](expression.args.map((arg) => evaluate(arg, row)));
  }
}

/** Negative, zero, positive; null when either side is null. Numbers before texts where types differ. */
export function compareValues(a: PostValue, b: PostValue): number | null {
  if (a === null || b === null) return null;
  const [x, y] = [rank(a), rank(b)];
  if (x !== y) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(value: Exclude<PostValue, null>): number {
  if (typeof value === "boolean") return 0;
  return typeof value === "string" ? 2 : 1;
}

type Evaluator = (args: readonly PostValue[]) => PostValue;

function arithmetic(compute: (a: number, b: number) => number): Evaluator {
  return ([a, b = 0]) => {
    if (!isNumeric(a) || !isNumeric(b)) return null;
    const result = compute(Number(a), Number(b));
    return Number.isFinite(result) ? result : null;
  };
}

function isNumeric(value: PostValue | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function comparison(holds: (order: number) => boolean): Evaluator {
  return ([a = null, b = null]) => {
    const order = compareValues(a, b);
    return order === null ? null : holds(order);
  };
}

/** Half away from zero, as SQL's numeric round. */
function roundTo(x: number, places: number): number {
  const scale = 10 ** Math.trunc(places);
  return (Math.sign(x) * Math.round(Math.abs(x) * scale)) / scale;
}

const operators: Readonly<Record<PostOperator, Evaluator>> = {
  "+": arithmetic((a, b) => a + b),
  "-": arithmetic((a, b) => a - b),
  "*": arithmetic((a, b) => a * b),
  "/": arithmetic((a, b) => a / b),
  negate: arithmetic((a) => -a),
  abs: arithmetic((a) => Math.abs(a)),
  round: arithmetic(roundTo),
  "=": comparison((order) => order === 0),
  "<>": comparison((order) => order !== 0),
  "<": comparison((order) => order < 0),
  "<=": comparison((order) => order <= 0),
  ">": comparison((order) => order > 0),
  ">=": comparison((order) => order >= 0),
  and: (args) => (args.includes(false) ? false : args.includes(null) ? null : true),
  or: (args) => (args.includes(true) ? true : args.includes(null) ? null : false),
  not: ([a = null]) => (typeof a === "boolean" ? !a : null),
  "is-null": ([a = null]) => a === null,
  "is-not-null": ([a = null]) => a !== null,
  in: ([needle = null, ...list]) => {
    const orders = list.map((item) => compareValues(needle, item));
    return orders.includes(0) ? true : orders.includes(null) ? null : false;
  },
};

/** The whole of the post-processing language, for a check that nothing is left out. */
export const postOperators: readonly PostOperator[] = Object.keys(operators) as PostOperator[];

/** A literal true: null and false both drop the row. Errors: query.type for a condition that is not boolean. */
export function holds(condition: PostExpression, row: PostRow): boolean {
  const value = evaluate(condition, row);
  if (value !== null && typeof value !== "boolean") {
    throw new LetheError("query.type", "HAVING needs a condition", {
      fix: "compare, as in HAVING COUNT(*) > 10",
    });
  }
  return value === true;
}
