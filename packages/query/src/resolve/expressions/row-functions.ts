import { elementAt } from "@lethe/core/numeric";
import { demandType, type ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { TimeField } from "../../expressions/calendar/parts.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { constantNumber } from "./resolve-literal.ts";
import { regularFunctions } from "./resolve-regular.ts";
import { castToTime, extract, truncate } from "./resolve-time.ts";
import { type BuildCall, type RowFunction, rowFunction } from "./row-function.ts";
import { constantCount, like, maxCount, replace, splitPart, strpos, substr } from "./text-functions.ts";
import { timeFunctions } from "./time-functions.ts";

const plain = (operator: Operator, arity: "one" | "two" = "one"): RowFunction =>
  rowFunction(arity, (args, build, offset) => build.call(operator, args, offset));

/** A call whose second argument must be one number on every row. */
function withConstant(
  operator: Operator,
  what: string,
  accepts: (value: number) => boolean,
  fix: string,
): BuildCall<"two"> {
  return ([x, constant], build, offset) => {
    const value = constantNumber(constant);
    if (value === null || !accepts(value))
      refuse("query.type", `${operator.toUpperCase()}: ${what}`, fix, offset);
    return build.call(operator, [x, build.literal(value)], offset);
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
  ...rowFunction("some", (args, build, offset) => {
    const texts = args.map((arg) => {
      const text = asText(arg, build, offset);
      return text.domain.nullable ? build.call("coalesce", [text, build.literal("")], offset) : text;
    });
    return texts.length === 1 ? elementAt(texts, 0) : build.call("concat", texts, offset);
  }),
  max: 100,
};

/** POWER(x, y), and x ^ y. */
export const buildPower: BuildCall<"two"> = withConstant(
  "power",
  "the exponent must be a constant",
  (value) => Math.abs(value) <= 64,
  "write a number between -64 and 64, such as POWER(x, 2)",
);
const power = rowFunction("two", buildPower);

const roundTo = withConstant(
  "round",
  "the number of digits must be a constant",
  (value) => Number.isInteger(value) && Math.abs(value) <= 15,
  "write a whole number between -15 and 15, such as ROUND(x, 2)",
);
const round = rowFunction("one or two", ([x, digits], build, offset) =>
  digits ? roundTo([x, digits], build, offset) : build.call("round", [x], offset),
);

/** LEFT and RIGHT: so many characters of a text. */
function endOf(operator: "left" | "right"): RowFunction {
  const cut = withConstant(
    operator,
    "the number of characters must be a constant",
    (value) => Number.isInteger(value) && value >= 0 && value <= maxCount,
    `write a whole number from 0 to ${maxCount}, such as ${operator.toUpperCase()}(x, 3)`,
  );
  return rowFunction("two", ([text, count], build, offset) => {
    demandType(text, "text", offset);
    return cut([text, count], build, offset);
  });
}
const length = plain("length");

/** Bounds and number of buckets are public constants: all buckets are keys. */
const widthBucket: RowFunction = rowFunction("four", ([x, low, high, count], build, offset) => {
  const [lo, hi] = [constantNumber(low), constantNumber(high)];
  if (lo === null || hi === null || !(lo < hi && Math.max(-lo, hi) <= 2 ** 50))
    refuse(
      "query.type",
      "WIDTH_BUCKET takes a lower and a higher constant of at most 2^50",
      "write WIDTH_BUCKET(x, 0, 100, 10)",
      offset,
    );
  const buckets = constantCount(count, "the number of buckets", 1, offset);
  return build.call(
    "width_bucket",
    [x, build.literal(lo), build.literal(hi), build.literal(buckets)],
    offset,
  );
});

const div: RowFunction = rowFunction("two", (args, build, offset) =>
  build.call("trunc", [build.call("/", args, offset)], offset),
);

/** IF(condition, then, otherwise). */
const choice = rowFunction("three", ([condition, yes, no], build, offset) =>
  // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
  build.case([{ when: condition, then: yes }], no, offset),
);

/** EXTRACT by the name of its field. */
const field = (name: TimeField): RowFunction =>
  rowFunction("one", ([time], build, offset) => extract([build.literal(name), time], build, offset));

/** The functions of one row, by the names people call them. All are total. */
export const rowFunctions: ReadonlyMap<string, RowFunction> = new Map<string, RowFunction>([
  ["abs", plain("abs")],
  ["sign", plain("sign")],
  ["floor", plain("floor")],
  ["ceil", plain("ceil")],
  ["ceiling", plain("ceil")],
  ["round", round],
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
  ["mod", plain("%", "two")],
  ["safe_divide", plain("/", "two")],
  ["lower", plain("lower")],
  ["upper", plain("upper")],
  ["initcap", plain("initcap")],
  ["split_part", splitPart],
  ...regularFunctions,
  ["trim", plain("trim")],
  ["btrim", plain("trim")],
  ["length", length],
  ["char_length", length],
  ["character_length", length],
  ["left", endOf("left")],
  ["right", endOf("right")],
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
  ["ifnull", plain("coalesce", "two")],
  ["date_trunc", rowFunction("two", truncate)],
  ["extract", rowFunction("two", extract)],
  ["date_part", rowFunction("two", extract)],
  ["year", field("year")],
  ["quarter", field("quarter")],
  ["month", field("month")],
  ["week", field("week")],
  ["day", field("day")],
  ["dayofweek", field("dow")],
  ["dayofyear", field("doy")],
  ["hour", field("hour")],
  ["minute", field("minute")],
  ["if", choice],
  ["iff", choice],
  ["iif", choice],
  ["nvl", plain("coalesce", "two")],
  ...timeFunctions,
  ["date", rowFunction("one", ([arg], build, offset) => castToTime("date", arg, build, offset))],
]);
