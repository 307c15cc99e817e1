import type { Expression } from "../../bind/expression.ts";
import type { Operator } from "../../bind/operator.ts";
import { widthBucket } from "../buckets.ts";
import { cellAmong } from "../cell-among.ts";
import type { OperatorText } from "../dialect.ts";
import { timeOperators } from "../times.ts";
import { above, exp, power, product, quotient, remainder, round, sum } from "./arithmetic.ts";
import { toInteger, toNumber, toText } from "./casts.ts";
import { double, text } from "./literals.ts";
import { times } from "./times.ts";

const infix =
  (symbol: string): OperatorText =>
  ([a, b]) =>
    `(${a} ${symbol} ${b})`;
const named =
  (name: string): OperatorText =>
  (args) =>
    `${name}(${args.join(", ")})`;
const postfix =
  (test: string): OperatorText =>
  ([a]) =>
    `(${a} ${test})`;
const joined =
  (word: string): OperatorText =>
  (args) =>
    `(${args.join(` ${word} `)})`;
/** By Unicode's tables of single letters, as DuckDB does it; then compared byte by byte again. */
const cased =
  (name: string): OperatorText =>
  ([a]) =>
    `(${name}(${a} COLLATE pg_c_utf8) COLLATE "C")`;

function constant(expression: Expression): string | number | boolean | null {
  if (expression.kind === "literal") return expression.value;
  const { domain } = expression;
  if (domain.type === "number" && domain.values?.length === 1) return domain.values[0]!;
  throw new TypeError("a constant is due");
}

export const operators: Readonly<Record<Operator, OperatorText>> = {
  "+": sum("+"),
  "-": sum("-"),
  "*": product,
  "/": quotient,
  "%": remainder,
  negate: ([x]) => `(-(${x}))`,
  abs: named("abs"),
  sign: named("sign"),
  floor: named("floor"),
  ceil: named("ceil"),
  trunc: named("trunc"),
  width_bucket: widthBucket(times),
  "cell-among": cellAmong(times),
  round,
  // Never left out, whatever a domain proves: outside their domains these raise.
  sqrt: ([x]) => `sqrt(${above(-5e-324)(x!)})`,
  ln: ([x]) => `ln(${above(0)(x!)})`,
  log10: ([x]) => `log10(${above(0)(x!)})`,
  exp,
  power,
  least: named("least"),
  greatest: named("greatest"),
  coalesce: named("coalesce"),
  nullif: named("nullif"),
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
  // Takes time text × pattern: what fails to match behind the last % ends the search of all.
  like: ([a], { args }) => `(${a} LIKE ${text(String(constant(args[1]!)))} ESCAPE '\\')`,
  lower: cased("lower"),
  upper: cased("upper"),
  trim: ([a]) => `btrim(${a}, ' ')`,
  ltrim: ([a]) => `ltrim(${a}, ' ')`,
  rtrim: ([a]) => `rtrim(${a}, ' ')`,
  length: ([a]) => `CAST(length(${a}) AS double precision)`,
  left: ([a], { args }) => `left(${a}, ${Number(constant(args[1]!))})`,
  right: ([a], { args }) => `right(${a}, ${Number(constant(args[1]!))})`,
  substr: ([a], { args }) =>
    `substr(${a}, ${args
      .slice(1)
      .map((arg) => Number(constant(arg)))
      .join(", ")})`,
  replace: named("replace"),
  strpos: (args) => `CAST(strpos(${args.join(", ")}) AS double precision)`,
  concat: joined("||"),
  "to-number": toNumber,
  "to-integer": toInteger,
  "to-text": toText,
  ...timeOperators(times),
  "to-boolean": ([a]) => `(${a} <> ${double(0)})`,
};
