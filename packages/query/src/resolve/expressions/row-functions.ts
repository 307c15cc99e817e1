import { elementAt } from "@lethe/core/numeric";
import { demandType, type ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { TimeField } from "../../expressions/calendar/parts.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { constantNumber } from "./resolve-literal.ts";
import { castToTime, extract, truncate } from "./resolve-time.ts";
import type { RowFunction } from "./row-function.ts";
import { constantCount, like, maxCount, replace, strpos, substr } from "./text-functions.ts";

function plain(operator: Operator, min = 1, max: number = min): RowFunction {
  return { min, max, build: (args, build, offset) => build.call(operator, args, offset) };
}

/** The second argument must be one number on every row. */
function withConstant(
  operator: "round" | "power" | "left" | "right",
  what: string,
  accepts: (value: number) => boolean,
  fix: string,
  min = 2,
): RowFunction {
  return {
    min,
    max: 2,
    build(args, build, offset) {
      if (args.length === 1) return build.call(operator, args, offset);
      const value = constantNumber(elementAt(args, 1));
      if (value === null || !accepts(value))
        refuse("query.type", `${operator.toUpperCase()}: ${what}`, fix, offset);
      if (operator === "left" || operator === "right") demandType(elementAt(args, 0), "text", offset);
      return build.call(operator, [elementAt(args, 0), build.literal(value)], offset);
    },
  };
}

/** Integers, booleans and dates are written out; other numbers and timestamps look different in every engine. */
export function asText(expression: Expression, build: ExpressionBuilder, offset?: number): Expression {
  const { domain } = expression;
  if (domain.type === "text") return expression;
  if (domain.type === "timestamp") demandType(expression, "text", offset);
  if (domain.type === "number" && !domain.integer)
    refuse(
      "query.type",
      `${writeSql(expression)} is a fraction, and engines write fractions as text in different ways`,
      `round it to an integer first: CAST(${writeSql(expression)} AS bigint)`,
      offset,
    );
  return build.call("to-text", [expression], offset);
}

/** CONCAT skips NULLs, where || would give NULL. */
const concat: RowFunction = {
  min: 1,
  max: 100,
  build(args, build, offset) {
    const texts = args.map((arg) => {
      const text = asText(arg, build, offset);
      return text.domain.nullable ? build.call("coalesce", [text, build.literal("")], offset) : text;
    });
    return texts.length === 1 ? elementAt(texts, 0) : build.call("concat", texts, offset);
  },
};

const power = withConstant(
  "power",
  "the exponent must be a constant",
  (value) => Math.abs(value) <= 64,
  "write a number between -64 and 64, such as POWER(x, 2)",
);
const length = plain("length");

/** Bounds and number of buckets are public constants: all buckets are keys. */
const widthBucket: RowFunction = {
  min: 4,
  max: 4,
  build([x, low, high, count], build, offset) {
    const [lo, hi] = [constantNumber(low!), constantNumber(high!)];
    if (lo === null || hi === null || !(lo < hi && Math.max(-lo, hi) <= 2 ** 50))
      refuse(
        "query.type",
        "WIDTH_BUCKET takes a lower and a higher constant of at most 2^50",
        "write WIDTH_BUCKET(x, 0, 100, 10)",
        offset,
      );
    const buckets = constantCount(count!, "the number of buckets", 1, offset);
    return build.call(
      "width_bucket",
      [x!, build.literal(lo), build.literal(hi), build.literal(buckets)],
      offset,
    );
  },
};

const div: RowFunction = {
  min: 2,
  max: 2,
  build: (args, build, offset) => build.call("trunc", [build.call("/", args, offset)], offset),
};

/** EXTRACT by the name of its field. */
const field = (name: TimeField): RowFunction => ({
  min: 1,
  max: 1,
  build: (args, build, offset) => extract([build.literal(name), ...args], build, offset),
});

/** The functions of one row, by the names people call them. All are total. */
export const rowFunctions: ReadonlyMap<string, RowFunction> = new Map<string, RowFunction>([
  ["abs", plain("abs")],
  ["sign", plain("sign")],
  ["floor", plain("floor")],
  ["ceil", plain("ceil")],
  ["ceiling", plain("ceil")],
  [
    "round",
    withConstant(
      "round",
      "the number of digits must be a constant",
      (value) => Number.isInteger(value) && Math.abs(value) <= 15,
      "write a whole number between -15 and 15, such as ROUND(x, 2)",
      1,
    ),
  ],
  ["trunc", plain("trunc")],
  ["div", div],
  ["width_bucket", widthBucket],
  ["sqrt", plain("sqrt")],
  ["ln", plain("ln")],
  ["log", plain("log10")],
  ["log10", plain("log10")],
  ["exp", plain("exp")],
  ["power", power],
  ["pow", power],
  ["mod", plain("%", 2)],
  ["safe_divide", plain("/", 2)],
  ["lower", plain("lower")],
  ["upper", plain("upper")],
  ["trim", plain("trim")],
  ["btrim", plain("trim")],
  ["length", length],
  ["char_length", length],
  ["character_length", length],
  [
    "left",
    withConstant(
      "left",
      "the number of characters must be a constant",
      (value) => Number.isInteger(value) && value >= 0 && value <= 10_000,
      "write a whole number from 0 to 10000, such as LEFT(x, 3)",
    ),
  ],
  [
    "right",
    withConstant(
      "right",
      "the number of characters must be a constant",
      (value) => Number.isInteger(value) && value >= 0 && value <= maxCount,
      "write a whole number from 0 to 10000, such as RIGHT(x, 3)",
    ),
  ],
  ["substr", substr],
  ["substring", substr],
  ["ltrim", plain("ltrim")],
  ["rtrim", plain("rtrim")],
  ["replace", replace],
  ["strpos", strpos],
  ["position", strpos],
  ["starts_with", like("", "%")],
  ["ends_with", like("%", "")],
  ["contains", like("%", "%")],
  ["concat", concat],
  ["ifnull", plain("coalesce", 2)],
  ["date_trunc", { min: 2, max: 2, build: truncate }],
  ["extract", { min: 2, max: 2, build: extract }],
  ["date_part", { min: 2, max: 2, build: extract }],
  ["year", field("year")],
  ["quarter", field("quarter")],
  ["month", field("month")],
  ["week", field("week")],
  ["day", field("day")],
  ["dayofweek", field("dow")],
  ["dayofyear", field("doy")],
  ["hour", field("hour")],
  ["minute", field("minute")],
  ["date", { min: 1, max: 1, build: ([arg], build, offset) => castToTime("date", arg!, build, offset) }],
]);
