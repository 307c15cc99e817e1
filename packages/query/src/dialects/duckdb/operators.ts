import { widthBucket } from "../buckets.ts";
import { cellAmong } from "../cell-among.ts";
import { commonOperators, named } from "../common-operators.ts";
import { constant } from "../constant.ts";
import type { OperatorText, OperatorTexts } from "../dialect.ts";
import { numberDomain } from "../number-domain.ts";
import { timeOperators } from "../times.ts";
import { evaluatedOnce, finite, guardOverflow, guardUndefined, tried } from "./guards.ts";
import { like } from "./like.ts";
import { double } from "./literals.ts";
import { patterns } from "./patterns.ts";
import { times } from "./times.ts";

const overflowing =
  (symbol: string): OperatorText<"two"> =>
  ([a, b], call) =>
    guardOverflow(call, `(${a} ${symbol} ${b})`);
const undefinable =
  (symbol: string): OperatorText<"two"> =>
  ([a, b], call) =>
    guardUndefined(call, `(${a} ${symbol} ${b})`);

const largestInteger = 2 ** 53;
const decimal = String.raw`'^[+-]?(\d{1,300}(\.\d{0,300})?|\.\d{1,300})([eE][+-]?\d{1,3})?$'`;

/** Number of a plain decimal; regexp_extract gives '' for anything else, which is no number. */
function parsed(text: string): string {
  return finite(`TRY_CAST(regexp_extract(${text}, ${decimal}) AS DOUBLE)`);
}

/** round is half away from zero for doubles; digits are done by a power of ten, as every engine can. */
const round: OperatorText<"one or two"> = ([x], call) => {
  const [, digits] = call.args;
  if (!digits) return `round(${x})`;
  const places = Number(constant(digits));
  const scale = double(10 ** Math.abs(places));
  const rounded = (v: string): string =>
    places < 0 ? `(round(${v} / ${scale}) * ${scale})` : `(round(${v} * ${scale}) / ${scale})`;
  const { bounds } = numberDomain(call, 0);
  const largest = bounds && Math.max(Math.abs(bounds[0]), Math.abs(bounds[1])) * 10 ** Math.abs(places);
  if (largest !== null && Number.isFinite(largest)) return rounded(x);
  // What scaling takes beyond the doubles has no digits there; what is rounded up beyond them is none.
  if (places < 0) return finite(rounded(x));
  return evaluatedOnce(x, (v) => `CASE WHEN isfinite(${rounded(v)}) THEN ${rounded(v)} ELSE ${v} END`);
};

/** A cast of a double rounds half to even. */
const toInteger: OperatorText<"one"> = ([x], { args: [{ domain }] }) => {
  if (domain.type === "boolean") return `CAST(${x} AS DOUBLE)`;
  const number = domain.type === "text" ? parsed(x) : x;
  const limit = `${largestInteger}`;
  return evaluatedOnce(
    `TRY_CAST(${number} AS BIGINT)`,
    (v) => `CASE WHEN ${v} BETWEEN -${limit} AND ${limit} THEN CAST(${v} AS DOUBLE) END`,
  );
};

/** Takes a text or a boolean: the resolver leaves out casts to the type that is there. */
const toNumber: OperatorText<"one"> = ([x], { args: [{ domain }] }) =>
  domain.type === "text" ? parsed(x) : `CAST(${x} AS DOUBLE)`;

/** Takes integers, dates and booleans alone. Integers are written without a fraction. */
const toText: OperatorText<"one"> = ([x], { args: [{ domain }] }) => {
  const { type } = domain;
  const value = type === "date" ? times.date(x) : type === "number" ? `TRY_CAST(${x} AS BIGINT)` : x;
  return `CAST(${value} AS VARCHAR)`;
};

export const operators: OperatorTexts = {
  ...commonOperators,
  "+": overflowing("+"),
  "-": overflowing("-"),
  "*": overflowing("*"),
  "/": undefinable("/"),
  "%": undefinable("%"),
  sign: ([x]) => `CAST(sign(${x}) AS DOUBLE)`,
  width_bucket: widthBucket(times),
  "cell-among": cellAmong(times),
  round,
  sqrt: ([x]) => tried(`sqrt(${x})`),
  ln: ([x]) => tried(`ln(${x})`),
  log10: ([x]) => tried(`log10(${x})`),
  exp: ([x], call) => guardOverflow(call, `exp(${x})`),
  power: ([x, y], call) => guardUndefined(call, `pow(${x}, ${y})`),
  nullif: ([a, b]) => evaluatedOnce(a, (v) => `CASE WHEN ${v} IS DISTINCT FROM ${b} THEN ${v} END`),
  like: ([a], { args: [, pattern] }) => like(a, String(constant(pattern))),
  ...patterns,
  lower: named("lower"),
  upper: named("upper"),
  trim: ([a]) => `trim(${a}, ' ')`,
  length: ([a]) => `CAST(length(${a}) AS DOUBLE)`,
  strpos: (args) => `CAST(strpos(${args.join(", ")}) AS DOUBLE)`,
  "to-number": toNumber,
  "to-integer": toInteger,
  "to-text": toText,
  ...timeOperators(times),
  "to-boolean": ([a]) => `(${a} <> 0)`,
};
