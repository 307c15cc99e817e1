import { LetheError } from "@lethe/core";
import type { Operator } from "./operator.ts";

/** The lists of operands that there are, by how many they hold. `some` is one or more. */
interface OperandLists<T> {
  readonly one: readonly [T];
  readonly two: readonly [T, T];
  readonly three: readonly [T, T, T];
  readonly four: readonly [T, T, T, T];
  readonly "one or two": readonly [T] | readonly [T, T];
  readonly "two or three": readonly [T, T] | readonly [T, T, T];
  readonly "three or four": readonly [T, T, T] | readonly [T, T, T, T];
  readonly some: readonly [T, ...T[]];
}

/** How many operands there are. */
export type Arity = keyof OperandLists<unknown>;

/** The operands of an operator or of a function: a list that is as long as the arity says, so that each can be named. */
export type Operands<A extends Arity, T> = OperandLists<T>[A];

/** The least and the largest number of operands. */
export const operandCounts: Readonly<Record<Arity, readonly [number, number]>> = {
  one: [1, 1],
  two: [2, 2],
  three: [3, 3],
  four: [4, 4],
  "one or two": [1, 2],
  "two or three": [2, 3],
  "three or four": [3, 4],
  some: [1, Number.POSITIVE_INFINITY],
};

function hasArity<A extends Arity, T>(arity: A, given: readonly T[]): given is Operands<A, T> {
  const [least, most] = operandCounts[arity];
  return given.length >= least && given.length <= most;
}

/** Returns a list as operands: the one place where they are counted. Errors: internal.invariant for another number of them. */
export function operands<A extends Arity, T>(arity: A, given: readonly T[]): Operands<A, T> {
  if (hasArity(arity, given)) return given;
  throw new LetheError("internal.invariant", `an operator of ${arity} was given ${given.length} operands`, {
    fix: "report this: Lethe built an expression with too many or too few operands",
  });
}

/** The number of operands of every operator. What an operator means, and how a dialect writes it, is a function of so many. */
const arities = {
  "+": "two",
  "-": "two",
  "*": "two",
  "/": "two",
  "%": "two",
  negate: "one",
  abs: "one",
  sign: "one",
  floor: "one",
  ceil: "one",
  round: "one or two",
  trunc: "one",
  width_bucket: "four",
  "cell-among": "some",
  sqrt: "one",
  ln: "one",
  log10: "one",
  exp: "one",
  power: "two",
  least: "some",
  greatest: "some",
  "=": "two",
  "<>": "two",
  "<": "two",
  "<=": "two",
  ">": "two",
  ">=": "two",
  "is-distinct": "two",
  "is-not-distinct": "two",
  and: "some",
  or: "some",
  not: "one",
  "is-null": "one",
  "is-not-null": "one",
  "is-true": "one",
  "is-false": "one",
  in: "some",
  like: "two",
  coalesce: "some",
  nullif: "two",
  lower: "one",
  upper: "one",
  trim: "one",
  ltrim: "one",
  rtrim: "one",
  length: "one",
  left: "two",
  right: "two",
  substr: "three",
  replace: "three",
  strpos: "two",
  split_part: "three",
  initcap: "one",
  matches: "two",
  regexp_extract: "three",
  regexp_replace: "four",
  concat: "some",
  "to-number": "one",
  "to-integer": "one",
  "to-text": "one",
  "to-boolean": "one",
  "to-date": "one",
  "to-timestamp": "one",
  "date-trunc": "two",
  "time-bucket": "three",
  extract: "two",
  "add-interval": "four",
  "days-between": "two",
} as const;

export type ArityOf<O extends Operator> = (typeof arities)[O];

/** Returns a list as the operands of an operator. Errors: internal.invariant for another number of them. */
export function operandsOf<O extends Operator, T>(operator: O, given: readonly T[]): Operands<ArityOf<O>, T> {
  return operands(arities[operator], given);
}
