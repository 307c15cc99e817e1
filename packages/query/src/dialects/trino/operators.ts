import { widthBucket } from "../buckets.ts";
import { cellAmong } from "../cell-among.ts";
import { commonOperators, named } from "../common-operators.ts";
import { constant } from "../constant.ts";
import type { Call, OperatorText, OperatorTexts } from "../dialect.ts";
import { numberDomain } from "../number-domain.ts";
import { timeOperators } from "../times.ts";
import { double, text } from "./literals.ts";
import { finite, once } from "./once.ts";
import { patterns } from "./patterns.ts";
import { roundHalfEven } from "./round-half-even.ts";
import { times } from "./times.ts";

/** Doubles overflow to ±Inf, and what is not defined is NaN: nothing raises, and a result that is not finite becomes NULL. */
const guarded = (sql: string, call: Call): string => {
  const { bounds, nullable } = numberDomain(call);
  return bounds === null || nullable ? finite(sql) : sql;
};
const guardedInfix =
  (symbol: string): OperatorText<"two"> =>
  ([a, b], call) =>
    guarded(`(${a} ${symbol} ${b})`, call);
const guardedCall =
  (name: string): OperatorText =>
  (args, call) =>
    guarded(`${name}(${args.join(", ")})`, call);

/** Passes over NULL, for which Trino's least and greatest are NULL. */
const endOf =
  (name: string): OperatorText =>
  (args) =>
    `${name}(filter(ARRAY[${args.join(", ")}], e -> e IS NOT NULL))`;

// A $ would also match before a last line feed.
const decimal = String.raw`'\A[+-]?([0-9]{1,300}(\.[0-9]{0,300})?|\.[0-9]{1,300})([eE][+-]?[0-9]{1,3})?\z'`;
/** Number of a plain decimal; regexp_extract is NULL for anything else. */
const parsed = (value: string): string => finite(`TRY_CAST(regexp_extract(${value}, ${decimal}) AS double)`);

const round: OperatorText<"one or two"> = ([x], { args: [, digits] }) => {
  if (!digits) return `round(${x})`;
  const places = Number(constant(digits));
  const scale = double(10 ** Math.abs(places));
  const rounded = (v: string): string =>
    places < 0 ? `(round(${v} / ${scale}) * ${scale})` : `(round(${v} * ${scale}) / ${scale})`;
  if (places < 0) return finite(rounded(x));
  // What scaling takes beyond the doubles has no digits there.
  return once(x, (v) => `CASE WHEN is_finite(${rounded(v)}) THEN ${rounded(v)} ELSE ${v} END`);
};

const toInteger: OperatorText<"one"> = ([x], { args: [{ domain }] }) => {
  const { type } = domain;
  if (type === "boolean") return `CAST(${x} AS double)`;
  const limit = double(2 ** 53);
  return once(
    type === "text" ? parsed(x) : x,
    (v) => `CASE WHEN abs(${v}) <= ${limit} THEN ${roundHalfEven(v)} END`,
  );
};

const toText: OperatorText<"one"> = ([x], { args: [{ domain }] }) => {
  const { type } = domain;
  const value = type === "date" ? times.date(x) : type === "number" ? `CAST(${x} AS bigint)` : x;
  return `CAST(${value} AS varchar)`;
};

export const operators: OperatorTexts = {
  ...commonOperators,
  "+": guardedInfix("+"),
  "-": guardedInfix("-"),
  "*": guardedInfix("*"),
  "/": guardedInfix("/"),
  "%": guardedInfix("%"),
  trunc: named("truncate"),
  least: endOf("array_min"),
  greatest: endOf("array_max"),
  sign: named("sign"),
  width_bucket: widthBucket(times),
  "cell-among": cellAmong(times),
  round,
  // Never left out, whatever a domain proves.
  sqrt: ([x]) => finite(`sqrt(${x})`),
  ln: ([x]) => finite(`ln(${x})`),
  log10: ([x]) => finite(`log10(${x})`),
  exp: guardedCall("exp"),
  power: guardedCall("power"),
  nullif: ([a, b]) => once(a, (v) => `CASE WHEN ${v} IS DISTINCT FROM ${b} THEN ${v} END`),
  // There is no IS TRUE.
  "is-true": ([a]) => `coalesce(${a}, FALSE)`,
  "is-false": ([a]) => `coalesce(NOT ${a}, FALSE)`,
  like: ([a], { args: [, pattern] }) => `(${a} LIKE ${text(String(constant(pattern)))} ESCAPE '\\')`,
  lower: named("lower"),
  upper: named("upper"),
  // Without the character Trino trims tabs, too.
  trim: ([a]) => `trim(BOTH ' ' FROM ${a})`,
  ltrim: ([a]) => `trim(LEADING ' ' FROM ${a})`,
  rtrim: ([a]) => `trim(TRAILING ' ' FROM ${a})`,
  length: ([a]) => `CAST(length(${a}) AS double)`,
  left: ([a], { args: [, count] }) => `substr(${a}, 1, ${Number(constant(count))})`,
  // From before its start a text has no characters.
  right: ([a], { args: [, count] }) => {
    const most = Number(constant(count));
    if (most === 0) return `substr(${a}, 1, 0)`;
    return once(a, (v) => `CASE WHEN length(${v}) <= ${most} THEN ${v} ELSE substr(${v}, -${most}) END`);
  },
  strpos: (args) => `CAST(strpos(${args.join(", ")}) AS double)`,
  "to-number": ([x], { args: [{ domain }] }) => (domain.type === "text" ? parsed(x) : `CAST(${x} AS double)`),
  "to-integer": toInteger,
  "to-text": toText,
  ...timeOperators(times),
  ...patterns,
  "to-boolean": ([a]) => `(${a} <> ${double(0)})`,
};
