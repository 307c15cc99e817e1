import { elementAt } from "@lethe/core/numeric";
import { isTimeField, isTimeUnit } from "../../expressions/calendar/parts.ts";
import type { PostOperator, PostTextOperator } from "../../expressions/operator.ts";
import { patternParts } from "../../expressions/operators/like-pattern.ts";
import { refuse } from "../../refusals/refuse.ts";
import { maxCount } from "../expressions/text-functions.ts";
import { demandTypes, postCall, sizeOf, type TypedPost } from "./post-call.ts";

/* Functions of texts and times over released values. Times are texts already, as they are written. */

/** How a function is built of its arguments; null where it does not take these. */
type Build = (args: readonly TypedPost[], offset: number | undefined) => TypedPost | null;

const texts = (operator: PostTextOperator, gives: "text" | "number" = "text"): Build =>
  function build(args, offset) {
    return args.length === 1 ? postCall(operator, "text", gives, args, offset) : null;
  };

/** The first argument is a text, and the others are constants: whole numbers from `least` on, or texts. */
function withConstants(
  operator: PostTextOperator,
  constants: readonly ("text" | number)[],
  gives: "text" | "number" = "text",
): Build {
  return (args, offset) => {
    const [text, ...others] = args;
    if (!text || others.length !== constants.length) return null;
    demandTypes(operator.toUpperCase(), "text", [text], offset);
    for (const [at, due] of constants.entries()) demandConstant(operator, elementAt(others, at), due, offset);
    return callOf(operator, gives, args, offset);
  };
}

function callOf(
  operator: PostOperator,
  type: TypedPost["type"],
  args: readonly TypedPost[],
  offset: number | undefined,
): TypedPost {
  const expression = { kind: "call", operator, args: args.map((arg) => arg.expression) } as const;
  return { expression, type, size: sizeOf(args, offset) };
}

function demandConstant(
  operator: string,
  { expression }: TypedPost,
  due: "text" | number,
  offset: number | undefined,
): void {
  const value = expression.kind === "literal" ? expression.value : null;
  const fits =
    due === "text"
      ? typeof value === "string" && value !== ""
      : typeof value === "number" && Number.isInteger(value) && value >= due && Math.abs(value) <= maxCount;
  if (!fits)
    refuse(
      "query.type",
      `${operator.toUpperCase()} takes constants behind its text`,
      due === "text" ? "write a text that is not empty" : `write a whole number, ${due} or more`,
      offset,
    );
}

const literal = (value: string | number): TypedPost => ({
  expression: { kind: "literal", value },
  type: typeof value === "string" ? "text" : "number",
  size: 1,
});

const substr: Build = (args, offset) =>
  withConstants("substr", [1, 0])(args.length === 2 ? [...args, literal(maxCount)] : args, offset);

const replace: Build = (args, offset) => {
  const [, , put] = args;
  // What is put in the place of a part may be empty.
  const isEmpty = put?.expression.kind === "literal" && put.expression.value === "";
  if (!isEmpty) return withConstants("replace", ["text", "text"])(args, offset);
  const checked = withConstants("replace", ["text", "text"])([...args.slice(0, 2), literal("x")], offset);
  return checked && callOf("replace", "text", args, offset);
};

const concat: Build = (args, offset) => (args.length === 0 ? null : joined(args, offset));

/** A function of a time: its unit or field stands before it. */
function ofTime(operator: "date-trunc" | "extract", isKnown: (word: string) => boolean): Build {
  return (args, offset) => {
    const [word, time] = args;
    if (!word || !time || args.length !== 2) return null;
    const said = word.expression.kind === "literal" ? String(word.expression.value).toLowerCase() : "";
    if (time.type !== "date" && time.type !== "timestamp" && time.type !== "null") return null;
    if (!isKnown(said) || (time.type === "date" && (said === "hour" || said === "minute"))) return null;
    return callOf(operator, operator === "extract" ? "number" : time.type, [literal(said), time], offset);
  };
}

const functions: ReadonlyMap<string, Build> = new Map<string, Build>([
  ["lower", texts("lower")],
  ["upper", texts("upper")],
  ["initcap", texts("initcap")],
  ["trim", texts("trim")],
  ["btrim", texts("trim")],
  ["ltrim", texts("ltrim")],
  ["rtrim", texts("rtrim")],
  ["length", texts("length", "number")],
  ["char_length", texts("length", "number")],
  ["character_length", texts("length", "number")],
  ["left", withConstants("left", [0])],
  ["right", withConstants("right", [0])],
  ["substr", substr],
  ["substring", substr],
  ["replace", replace],
  ["split_part", withConstants("split_part", ["text", 1])],
  ["strpos", withConstants("strpos", ["text"], "number")],
  ["position", withConstants("strpos", ["text"], "number")],
  ["concat", concat],
  ["date_trunc", ofTime("date-trunc", isTimeUnit)],
  ["extract", ofTime("extract", (word) => isTimeField(word) && word !== "epoch")],
  ["date_part", ofTime("extract", (word) => isTimeField(word) && word !== "epoch")],
]);

/** A function of texts or times over released values; null where there is none of this name with these arguments. Errors: query.type. */
export function textFunction(
  name: string,
  args: () => readonly TypedPost[],
  offset: number | undefined,
): TypedPost | null {
  const build = functions.get(name);
  return build ? build(args(), offset) : null;
}

/** Writes a value as a text: a number as its shortest decimal, a boolean as true or false, a time as it stands. */
export function asText(value: TypedPost, offset: number | undefined): TypedPost {
  if (value.type === "text" || value.type === "null") return value;
  if (value.type === "date" || value.type === "timestamp") return { ...value, type: "text" };
  return callOf("to-text", "text", [value], offset);
}

/** SQL's ||: NULL where a part is. */
export function joined(parts: readonly TypedPost[], offset: number | undefined): TypedPost {
  return callOf(
    "concat",
    "text",
    parts.map((part) => asText(part, offset)),
    offset,
  );
}

/** x LIKE a constant pattern, whose backslashes escape; null for any other pattern. */
export function likeness(
  text: TypedPost,
  pattern: TypedPost,
  ignoresCase: boolean,
  offset: number | undefined,
): TypedPost | null {
  const { expression } = pattern;
  if (expression.kind !== "literal" || typeof expression.value !== "string") return null;
  if (expression.value.length > maxPattern || patternParts(expression.value, "\\") === null) return null;
  demandTypes("LIKE", "text", [text], offset);
  const [left, right] = ignoresCase
    ? [callOf("lower", "text", [text], offset), literal(expression.value.toLowerCase())]
    : [text, pattern];
  return callOf("like", "boolean", [left, right], offset);
}

const maxPattern = 256;
