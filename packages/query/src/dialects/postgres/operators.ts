import { widthBucket } from "../buckets.ts";
import { cellAmong } from "../cell-among.ts";
import { commonOperators, named } from "../common-operators.ts";
import { constant } from "../constant.ts";
import type { OperatorText, OperatorTexts } from "../dialect.ts";
import { timeOperators } from "../times.ts";
import { above, exp, power, product, quotient, remainder, round, sum } from "./arithmetic.ts";
import { toInteger, toNumber, toText } from "./casts.ts";
import { double, text } from "./literals.ts";
import { patterns } from "./patterns.ts";
import { times } from "./times.ts";

/** Changes case by Unicode's tables of single letters, as DuckDB does it; the result is compared byte by byte again. */
const cased =
  (name: string): OperatorText<"one"> =>
  ([a]) =>
    `(${name}(${a} COLLATE pg_c_utf8) COLLATE "C")`;

export const operators: OperatorTexts = {
  ...commonOperators,
  "+": sum("+"),
  "-": sum("-"),
  "*": product,
  "/": quotient,
  "%": remainder,
  sign: named("sign"),
  width_bucket: widthBucket(times),
  "cell-among": cellAmong(times),
  round,
  // Never left out, whatever a domain proves: outside their domains these raise.
  sqrt: ([x]) => `sqrt(${above(-5e-324)(x)})`,
  ln: ([x]) => `ln(${above(0)(x)})`,
  log10: ([x]) => `log10(${above(0)(x)})`,
  exp,
  power,
  nullif: named("nullif"),
  // Takes time text × pattern: what fails to match behind the last % ends the search of all.
  like: ([a], { args: [, pattern] }) => `(${a} LIKE ${text(String(constant(pattern)))} ESCAPE '\\')`,
  ...patterns,
  lower: cased("lower"),
  upper: cased("upper"),
  trim: ([a]) => `btrim(${a}, ' ')`,
  length: ([a]) => `CAST(length(${a}) AS double precision)`,
  strpos: (args) => `CAST(strpos(${args.join(", ")}) AS double precision)`,
  "to-number": toNumber,
  "to-integer": toInteger,
  "to-text": toText,
  ...timeOperators(times),
  "to-boolean": ([a]) => `(${a} <> ${double(0)})`,
};
