import type { Expression } from "../../bind/expression.ts";
import type { Operator } from "../../bind/operator.ts";
import { widthBucket } from "../buckets.ts";
import { cellAmong } from "../cell-among.ts";
import type { OperatorText } from "../dialect.ts";
import { timeOperators } from "../times.ts";
import { evaluatedOnce, finite, guardOverflow, guardUndefined, numberDomain, tried } from "./guards.ts";
import { like } from "./like.ts";
import { double } from "./literals.ts";
import { times } from "./times.ts";

const infix =
  (symbol: string): OperatorText =>
  ([a, b]) =>
    `(${a} ${symbol} ${b})`;
const overflowing =
  (symbol: string): OperatorText =>
  (args, call) =>
    guardOverflow(call, `(${args[0]} ${symbol} ${args[1]})`);
const undefinable =
  (symbol: string): OperatorText =>
  (args, call) =>
    guardUndefined(call, `(${args[0]} ${symbol} ${args[1]})`);
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

const largestInteger = 2 ** 53;
const decimal = String.raw`'^[+-]?(\d{1,300}(\.\d{0,300})?|\.\d{1,300})([eE][+-]?\d{1,3})?$'`;

/** Number of a plain decimal; regexp_extract gives '' for anything else, which is no number. */
function parsed(text: string): string {
  return finite(`TRY_CAST(regexp_extract(${text}, ${decimal}) AS DOUBLE)`);
}

/** round is half away from zero for doubles; digits are done by a power of ten, as every engine can. */
const round: OperatorText = ([x], call) => {
  const digits = call.args[1];
  if (!digits) return `round(${x})`;
  const places = Number(constant(digits));
  const scale = double(10 ** Math.abs(places));
  const rounded = (v: string): string =>
    places < 0 ? `(round(${v} / ${scale}) * ${scale})` : `(round(${v} * ${scale}) / ${scale})`;
  const { bounds } = numberDomain(call, 0);
  const largest = bounds && Math.max(Math.abs(bounds[0]), Math.abs(bounds[1])) * 10 ** Math.abs(places);
  if (largest !== null && Number.isFinite(largest)) return rounded(x!);
  return evaluatedOnce(x!, (v) => `CASE WHEN isfinite(${rounded(v)}) THEN ${rounded(v)} ELSE ${v} END`);
};

/** A cast of a double rounds half to even. */
const toInteger: OperatorText = ([x], call) => {
  const { domain } = call.args[0]!;
  if (domain.type === "boolean") return `CAST(${x} AS DOUBLE)`;
  if (domain.type === "number" && domain.integer) return x!;
  const number = domain.type === "text" ? parsed(x!) : x!;
  const limit = `${largestInteger}`;
  return evaluatedOnce(
    `TRY_CAST(${number} AS BIGINT)`,
    (v) => `CASE WHEN ${v} BETWEEN -${limit} AND ${limit} THEN CAST(${v} AS DOUBLE) END`,
  );
};

const toNumber: OperatorText = ([x], { args }) => {
  const { type } = args[0]!.domain;
  return type === "text" ? parsed(x!) : type === "boolean" ? `CAST(${x} AS DOUBLE)` : x!;
};

/** Integers are written without a fraction. */
const toText: OperatorText = ([x], { args }) => {
  const { type } = args[0]!.domain;
  if (type === "date") return `CAST(${times.date(x!)} AS VARCHAR)`;
  return type === "text" ? x! : `CAST(${type === "number" ? `TRY_CAST(${x} AS BIGINT)` : x} AS VARCHAR)`;
};

function constant(expression: Expression): string | number | boolean | null {
  if (expression.kind === "literal") return expression.value;
  const { domain } = expression;
  if (domain.type === "number" && domain.values?.length === 1) return domain.values[0]!;
  throw new TypeError("a constant is due");
}

export const operators: Readonly<Record<Operator, OperatorText>> = {
  "+": overflowing("+"),
  "-": overflowing("-"),
  "*": overflowing("*"),
  "/": undefinable("/"),
  "%": undefinable("%"),
  negate: ([x]) => `(-(${x}))`,
  abs: named("abs"),
  sign: ([x]) => `CAST(sign(${x}) AS DOUBLE)`,
  floor: named("floor"),
  ceil: named("ceil"),
  trunc: named("trunc"),
  width_bucket: widthBucket(times),
  "cell-among": cellAmong(times),
  round,
  sqrt: ([x]) => tried(`sqrt(${x})`),
  ln: ([x]) => tried(`ln(${x})`),
  log10: ([x]) => tried(`log10(${x})`),
  exp: ([x], call) => guardOverflow(call, `exp(${x})`),
  power: ([x, y], call) => guardUndefined(call, `pow(${x}, ${y})`),
  least: named("least"),
  greatest: named("greatest"),
  coalesce: named("coalesce"),
  nullif: ([a, b]) => evaluatedOnce(a!, (v) => `CASE WHEN ${v} IS DISTINCT FROM ${b} THEN ${v} END`),
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
  like: ([a], { args }) => like(a!, String(constant(args[1]!))),
  lower: named("lower"),
  upper: named("upper"),
  trim: ([a]) => `trim(${a}, ' ')`,
  ltrim: ([a]) => `ltrim(${a}, ' ')`,
  rtrim: ([a]) => `rtrim(${a}, ' ')`,
  length: ([a]) => `CAST(length(${a}) AS DOUBLE)`,
  left: ([a], { args }) => `left(${a}, ${Number(constant(args[1]!))})`,
  right: ([a], { args }) => `right(${a}, ${Number(constant(args[1]!))})`,
  substr: ([a], { args }) =>
    `substr(${a}, ${args
      .slice(1)
      .map((arg) => Number(constant(arg)))
      .join(", ")})`,
  replace: named("replace"),
  strpos: (args) => `CAST(strpos(${args.join(", ")}) AS DOUBLE)`,
  concat: joined("||"),
  "to-number": toNumber,
  "to-integer": toInteger,
  "to-text": toText,
  ...timeOperators(times),
  "to-boolean": ([a]) => `(${a} <> 0)`,
};
