import { elementAt } from "@lethe/core/numeric";
import type { ArithmeticOperator, LogicOperator, TextOperator } from "../expressions/operator.ts";
import { constant } from "./constant.ts";
import type { OperatorText } from "./dialect.ts";

/** Those that every dialect writes alike, and that are total there. */
export type CommonOperator =
  | Extract<ArithmeticOperator, "negate" | "abs" | "floor" | "ceil" | "trunc" | "least" | "greatest">
  | Exclude<LogicOperator, "like">
  | "coalesce"
  | Extract<TextOperator, "ltrim" | "rtrim" | "left" | "right" | "substr" | "replace" | "concat">;

/** A function of all its arguments. */
export const named =
  (name: string): OperatorText =>
  (args) =>
    `${name}(${args.join(", ")})`;
const infix =
  (symbol: string): OperatorText =>
  ([a, b]) =>
    `(${a} ${symbol} ${b})`;
const postfix =
  (test: string): OperatorText =>
  ([a]) =>
    `(${a} ${test})`;
const joined =
  (word: string): OperatorText =>
  (args) =>
    `(${args.join(` ${word} `)})`;

export const commonOperators: Readonly<Record<CommonOperator, OperatorText>> = {
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
  left: ([a], { args }) => `left(${a}, ${Number(constant(elementAt(args, 1)))})`,
  right: ([a], { args }) => `right(${a}, ${Number(constant(elementAt(args, 1)))})`,
  substr: ([a], { args }) =>
    `substr(${a}, ${args
      .slice(1)
      .map((arg) => Number(constant(arg)))
      .join(", ")})`,
  replace: named("replace"),
  concat: joined("||"),
};
