import { LetheError } from "@lethe/core";
import type { KeyValue } from "@lethe/core/mechanisms";
import {
  applyOperator,
  fieldOf,
  isTimeField,
  isTimeUnit,
  missing,
  type PostExpression,
  type PostOperator,
  type PostTextOperator,
  readTime,
  type TimeType,
  truncateTime,
  writeTime,
} from "@lethe/query";

/** The value of a post-processing expression; null is SQL's unknown. */
export type PostValue = KeyValue;

/** The keys of one released row, by their names. */
export interface RowKeys {
  /** The values of all keys; NULL where one is grouped away, or not told in a remainder. */
  readonly keys: ReadonlyMap<string, KeyValue>;
  /** The keys that the row's grouping is not by. */
  readonly away: ReadonlySet<string>;
  /** The keys of which the row stands for all groups that are not released. */
  readonly others: ReadonlySet<string>;
}

/** One released row as computed columns, HAVING and ORDER BY see it: noisy values only. */
export interface PostRow extends RowKeys {
  /** The estimate of each aggregate by its name, a time as it is written, or null. */
  readonly aggregates: ReadonlyMap<string, number | string | null>;
}

/**
 * Evaluates an expression over one released row, with SQL's three-valued logic. Raises nothing that SQL would: that is null.
 * Errors: internal.invariant for a name that the row does not have.
 */
export function evaluate(expression: PostExpression, row: PostRow): PostValue {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "key":
    case "grouped-away":
    case "other":
      return keyValue(expression, row);
    case "aggregate":
      return valueNamed(row.aggregates, expression.aggregate);
    case "call":
      return operators[expression.operator](expression.args.map((arg) => evaluate(arg, row)));
    case "case": {
      const taken = expression.branches.find(({ when }) => evaluate(when, row) === true);
      return evaluate(taken ? taken.then : expression.otherwise, row);
    }
  }
}

type KeyPart = Extract<PostExpression, { readonly key: string }>;

/** Returns a key of a row, or what is told of it. Errors: internal.invariant for a key that the row does not have. */
export function keyValue({ kind, key }: KeyPart, { keys, away, others }: RowKeys): PostValue {
  const value = valueNamed(keys, key);
  if (kind === "key") return value;
  return (kind === "other" ? others : away).has(key) ? 1 : 0;
}

function valueNamed<Value>(all: ReadonlyMap<string, Value>, name: string): Value {
  const value = all.get(name);
  return value === undefined ? missing(name) : value;
}

/** Compares two values: negative, zero or positive; null when either side is null. Numbers come before texts where types differ. */
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

/** Evaluates an operator on numbers, as it is over rows: NULL in, NULL out; what SQL would raise, and what is not finite, is NULL. */
function ofNumbers(operator: PostOperator): Evaluator {
  return (args) => {
    if (args.length === 0 || !args.every(isNumeric)) return null;
    const result = applyOperator(operator, args.map(Number));
    return typeof result === "number" && Number.isFinite(result) ? result : null;
  };
}

/** Returns the smallest (largest) of the numbers that are not NULL. */
function extreme(operator: "least" | "greatest"): Evaluator {
  return (args) => ofNumbers(operator)(args.filter((arg) => arg !== null));
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

/** Evaluates an operator on texts, the first of its arguments, as it is over rows. A text that grows beyond the limit is NULL. */
function ofText(operator: PostTextOperator | "like"): Evaluator {
  return (args) => {
    const scalars = args.flatMap((arg) => (typeof arg === "bigint" ? [] : [arg]));
    if (typeof args[0] !== "string" || scalars.includes(null) || scalars.length < args.length) return null;
    const result = applyOperator(operator, scalars);
    return typeof result === "string" && result.length > longestText ? null : result;
  };
}

/** The most characters of a text that is made of released values. */
const longestText = 10_000;

/** Evaluates a function of a unit or field, which is named first, and of a time as it is written. */
function ofTime(apply: (word: string, type: TimeType, time: number) => PostValue): Evaluator {
  return ([word = null, written = null]) => {
    if (typeof word !== "string" || typeof written !== "string") return null;
    const type = written.length === dateLength ? "date" : "timestamp";
    const time = readTime(type, written);
    return time === null ? null : apply(word, type, time);
  };
}

const dateLength = "2020-02-29".length;

const operators: Readonly<Record<PostOperator, Evaluator>> = {
  "+": ofNumbers("+"),
  "-": ofNumbers("-"),
  "*": ofNumbers("*"),
  "/": ofNumbers("/"),
  "%": ofNumbers("%"),
  negate: ofNumbers("negate"),
  abs: ofNumbers("abs"),
  sign: ofNumbers("sign"),
  floor: ofNumbers("floor"),
  ceil: ofNumbers("ceil"),
  round: ofNumbers("round"),
  sqrt: ofNumbers("sqrt"),
  ln: ofNumbers("ln"),
  log10: ofNumbers("log10"),
  exp: ofNumbers("exp"),
  power: ofNumbers("power"),
  "to-integer": ofNumbers("to-integer"),
  least: extreme("least"),
  greatest: extreme("greatest"),
  coalesce: (args) => args.find((arg) => arg !== null) ?? null,
  nullif: ([a = null, b = null]) => (compareValues(a, b) === 0 ? null : a),
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
  like: ofText("like"),
  lower: ofText("lower"),
  upper: ofText("upper"),
  initcap: ofText("initcap"),
  trim: ofText("trim"),
  ltrim: ofText("ltrim"),
  rtrim: ofText("rtrim"),
  length: ofText("length"),
  left: ofText("left"),
  right: ofText("right"),
  substr: ofText("substr"),
  replace: ofText("replace"),
  strpos: ofText("strpos"),
  split_part: ofText("split_part"),
  concat: ofText("concat"),
  "to-text": ([value = null]) => (value === null ? null : String(value)),
  "date-trunc": ofTime((unit, type, time) =>
    isTimeUnit(unit) ? writeTime(type, truncateTime(type, unit, time)) : null,
  ),
  extract: ofTime((field, type, time) => (isTimeField(field) ? fieldOf(type, field, time) : null)),
};

/** Applies an operator to values. */
export function applyPost(operator: PostOperator, args: readonly PostValue[]): PostValue {
  return operators[operator](args);
}

/** All operators of the post-processing language, for a check that nothing is left out. */
export const postOperators: readonly PostOperator[] = Object.keys(operators) as PostOperator[];

/** Whether a condition is true: null and false both drop the row. Errors: query.type for a condition that is not boolean. */
export function holds(condition: PostExpression, row: PostRow): boolean {
  const value = evaluate(condition, row);
  if (value !== null && typeof value !== "boolean") {
    throw new LetheError("query.type", "HAVING needs a condition", {
      fix: "compare, as in HAVING COUNT(*) > 10",
    });
  }
  return value === true;
}
