import type { PostExpression, PostOperator } from "@lethe/query";
import { longestText, numberText, ofTexts } from "./released-texts.ts";
import { fieldOfWritten, truncatedWritten } from "./released-times.ts";

/** The value of an expression over released values; null is SQL's unknown. */
export type Value = string | number | bigint | boolean | null;

/** A value that the release does not show. */
export const hidden: unique symbol = Symbol("hidden");
export type Seen = Value | typeof hidden;

/** The values of one row that a release shows. */
export interface SeenRow {
  /** Returns a key, or whether it is grouped away or stands for others. */
  readonly key: (part: KeyPart) => Seen;
  readonly aggregate: (name: string) => Seen;
}

export type KeyPart = Extract<PostExpression, { readonly key: string }>;

/** Evaluates an expression over one released row, with SQL's three-valued logic; hidden where it rests on what is not shown. */
export function seenValue(expression: PostExpression, row: SeenRow): Seen {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "key":
    case "grouped-away":
    case "other":
      return row.key(expression);
    case "aggregate":
      return row.aggregate(expression.aggregate);
    case "call":
      return operators[expression.operator](expression.args.map((argument) => seenValue(argument, row)));
    case "case":
      for (const branch of expression.branches) {
        const condition = seenValue(branch.when, row);
        if (condition === hidden) return hidden;
        if (condition === true) return seenValue(branch.then, row);
      }
      return seenValue(expression.otherwise, row);
  }
}

const isNumber = (value: Seen): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint";

/** The relative difference that two evaluations of one number may have. */
const rounding = 2 ** -40;

export function areClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= rounding * Math.max(Math.abs(a), Math.abs(b));
}

/**
 * Compares two values: below, at or above 0; null where either is NULL, hidden where either is. Booleans come before numbers, and these before texts.
 */
export function orderOf(a: Seen, b: Seen): number | null | typeof hidden {
  if (a === hidden || b === hidden) return hidden;
  if (a === null || b === null) return null;
  if (typeof a !== typeof b && !(isNumber(a) && isNumber(b))) return rankOf(a) - rankOf(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same, hidden where the rounding of what was computed may have decided. */
function clearOrder(a: Seen, b: Seen): ReturnType<typeof orderOf> {
  const order = orderOf(a, b);
  const isDoubtful = order !== 0 && isNumber(a) && isNumber(b) && areClose(Number(a), Number(b));
  return isDoubtful ? hidden : order;
}

function rankOf(value: Exclude<Value, null>): number {
  return { boolean: 0, number: 1, bigint: 1, string: 2 }[
    typeof value as "boolean" | "number" | "bigint" | "string"
  ];
}

/** A value that is no number, as a text. */
function textOf(value: Exclude<Seen, number | bigint>): Seen {
  return value === hidden || value === null ? value : String(value);
}

type Apply = (args: readonly Seen[]) => Seen;

/** Applies a function of numbers: NULL where an argument is NULL or no number, and where the result is not finite. */
function ofNumbers(compute: (...numbers: number[]) => number): Apply {
  return (args) => {
    if (args.includes(hidden)) return hidden;
    if (args.length === 0 || !args.every(isNumber)) return null;
    const result = compute(...args.map(Number));
    return Number.isFinite(result) ? result + 0 : null;
  };
}

/** Applies a function of numbers to those arguments that are not NULL. */
function extreme(compute: (...numbers: number[]) => number): Apply {
  const ofAll = ofNumbers(compute);
  return (args) => ofAll(args.filter((argument) => argument !== null));
}

function comparison(holds: (order: number) => boolean): Apply {
  return ([a = null, b = null]) => {
    const order = clearOrder(a, b);
    return typeof order === "number" ? holds(order) : order;
  };
}

/** Applies a connective: the first argument that decides; else hidden or NULL where one of them is. */
function logic(decides: boolean): Apply {
  return (args) => {
    if (args.includes(decides)) return decides;
    if (args.includes(hidden)) return hidden;
    return args.includes(null) ? null : !decides;
  };
}

function known(apply: (value: Value) => Value): Apply {
  return ([value = null]) => (value === hidden ? hidden : apply(value));
}

/** Rounds half away from zero. */
function rounded(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) < 0.5 ? whole : whole + Math.sign(x);
}

function roundedTo(x: number, digits = 0): number {
  const scale = 10 ** Math.abs(digits);
  const moved = digits < 0 ? x / scale : x * scale;
  if (!Number.isFinite(moved)) return x;
  return digits < 0 ? rounded(moved) * scale : rounded(moved) / scale;
}

/** Ties go to the even one; beyond 2^53 there is none. */
function nearestInteger(x: number): number {
  const below = Math.floor(x);
  const isUp = x - below > 0.5 || (x - below === 0.5 && below % 2 !== 0);
  const nearest = isUp ? below + 1 : below;
  return Math.abs(nearest) <= 2 ** 53 ? nearest : Number.NaN;
}

/** Applies an operator on texts; hidden where an argument is, NULL where the first is none or another is NULL. */
function ofText(operator: keyof typeof ofTexts): Apply {
  return (args) => {
    if (args.includes(hidden)) return hidden;
    const values = args.flatMap((value) =>
      typeof value === "string" || typeof value === "number" ? [value] : [],
    );
    if (values.length < args.length || typeof values[0] !== "string") return null;
    const result = ofTexts[operator](...values);
    return typeof result === "string" && result.length > longestText ? null : result;
  };
}

/** Applies a function of a unit or field and of a written time. */
function ofTime(apply: (word: string, text: string) => Value): Apply {
  return ([word = null, text = null]) => {
    if (word === hidden || text === hidden) return hidden;
    return typeof word === "string" && typeof text === "string" ? apply(word, text) : null;
  };
}

const operators: Readonly<Record<PostOperator, Apply>> = {
  "+": ofNumbers((x, y) => x + y),
  "-": ofNumbers((x, y) => x - y),
  "*": ofNumbers((x, y) => x * y),
  "/": ofNumbers((x, y) => x / y),
  "%": ofNumbers((x, y) => x % y),
  negate: ofNumbers((x) => -x),
  abs: ofNumbers(Math.abs),
  sign: ofNumbers(Math.sign),
  floor: ofNumbers(Math.floor),
  ceil: ofNumbers(Math.ceil),
  round: ofNumbers(roundedTo),
  sqrt: ofNumbers(Math.sqrt),
  ln: ofNumbers(Math.log),
  log10: ofNumbers(Math.log10),
  exp: ofNumbers(Math.exp),
  power: ofNumbers((x, y) => x ** y),
  "to-integer": ofNumbers(nearestInteger),
  least: extreme(Math.min),
  greatest: extreme(Math.max),
  coalesce: (args) => args.find((argument) => argument !== null) ?? null,
  nullif: ([a = null, b = null]) => {
    const order = clearOrder(a, b);
    return order === hidden ? hidden : order === 0 ? null : a;
  },
  "=": comparison((order) => order === 0),
  "<>": comparison((order) => order !== 0),
  "<": comparison((order) => order < 0),
  "<=": comparison((order) => order <= 0),
  ">": comparison((order) => order > 0),
  ">=": comparison((order) => order >= 0),
  and: logic(false),
  or: logic(true),
  not: known((value) => (typeof value === "boolean" ? !value : null)),
  "is-null": known((value) => value === null),
  "is-not-null": known((value) => value !== null),
  in: ([sought = null, ...list]) =>
    logic(true)(list.map((item) => comparison((order) => order === 0)([sought, item]))),
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
  "to-text": ([value = null]) => (isNumber(value) ? (numberText(value) ?? hidden) : textOf(value)),
  "date-trunc": ofTime(truncatedWritten),
  extract: ofTime(fieldOfWritten),
};
