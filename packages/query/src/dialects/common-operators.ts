import type { ArithmeticOperator, LogicOperator, TextOperator } from "../expressions/operator.ts";
import { constant } from "./constant.ts";
import type { OperatorText, OperatorTexts } from "./dialect.ts";

/** Those that every dialect writes alike, and that are total there. */
export type CommonOperator =
  | Extract<ArithmeticOperator, "negate" | "abs" | "floor" | "ceil" | "trunc" | "least" | "greatest">
  | Exclude<LogicOperator, "like">
  | "coalesce"
  | Extract<
      TextOperator,
      "ltrim" | "rtrim" | "left" | "right" | "substr" | "replace" | "split_part" | "concat"
    >;

/** A function of all its arguments. */
export const named =
  (name: string): OperatorText =>
  (args) =>
    `${name}(${args.join(", ")})`;
const infix =
  (symbol: string): OperatorText<"two"> =>
  ([a, b]) =>
    `(${a} ${symbol} ${b})`;
const postfix =
  (test: string): OperatorText<"one"> =>
  ([a]) =>
    `(${a} ${test})`;
const joined =
  (word: string): OperatorText =>
  (args) =>
    `(${args.join(` ${word} `)})`;

export const commonOperators: OperatorTexts<CommonOperator> = {
  negate: ([x]) => `(-(${x}))`,
  abs: named("abs"),
  floor: named("floor"),
  ceil: named("ceil"),
  trunc: named("trunc"),
  least: named("least"),
  greatest: named("greatest"),
  coalesce: named("coalesce"),
  "=": infix("="),
  "<>": infix("<>"),
  "<": infix("<"),
  "<=": infix("<="),
  ">": infix(">"),
  ">=": infix(">="),
  "is-distinct": infix("IS DISTINCT FROM"),
  "is-not-distinct": infix("IS NOT DISTINCT FROM"),
  and: joined("AND"),
  or: joined("OR"),
  not: ([a]) => `(NOT ${a})`,
  "is-null": postfix("IS NULL"),
  "is-not-null": postfix("IS NOT NULL"),
  "is-true": postfix("IS TRUE"),
  "is-false": postfix("IS FALSE"),
  in: ([a, ...list]) => `(${a} IN (${list.join(", ")}))`,
  ltrim: ([a]) => `ltrim(${a}, ' ')`,
  rtrim: ([a]) => `rtrim(${a}, ' ')`,
  left: ([a], { args: [, count] }) => `left(${a}, ${Number(constant(count))})`,
  right: ([a], { args: [, count] }) => `right(${a}, ${Number(constant(count))})`,
  substr: ([a], { args: [, from, count] }) =>
    `substr(${a}, ${Number(constant(from))}, ${Number(constant(count))})`,
  replace: named("replace"),
  split_part: ([a, separator], { args: [, , number] }) =>
    `split_part(${a}, ${separator}, ${Number(constant(number))})`,
  concat: joined("||"),
};
