import type { TypeCast, TypeName } from "@pgsql/types";
import { demandType } from "../../expressions/build/build-expression.ts";
import type { TimeType } from "../../expressions/calendar/times.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName, part } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import type { Resolve } from "./resolve-operator.ts";
import { castToTime, timeTypes } from "./resolve-time.ts";
import { asText } from "./row-functions.ts";

/** The operator that casts to each type, by the name that the parser gives the type. */
export const castOperators: Readonly<Record<string, Operator>> = {
  int2: "to-integer",
  int4: "to-integer",
  int8: "to-integer",
  int64: "to-integer",
  float4: "to-number",
  float8: "to-number",
  numeric: "to-number",
  double: "to-number",
  float64: "to-number",
  text: "to-text",
  varchar: "to-text",
  string: "to-text",
  bool: "to-boolean",
};

/** What casts to a type: an operator, or for times a rule of their own. */
type Target =
  | { readonly operator: Operator; readonly time?: never }
  | { readonly time: TimeType; readonly operator?: never };

/** Returns null for a type that no cast leads to. */
function targetOf(type: string): Target | null {
  const operator = Object.hasOwn(castOperators, type) ? castOperators[type] : undefined;
  if (operator) return { operator };
  const time = Object.hasOwn(timeTypes, type) ? timeTypes[type] : undefined;
  return time ? { time } : null;
}

/** Resolves a cast. Every integer type means the integers up to 2^53, every other number a double; a value that does not fit becomes NULL. */
export function resolveCast(cast: TypeCast, scope: Scope, resolve: Resolve): Expression {
  const { build } = scope;
  const { typeName } = cast;
  const type = functionName(typeName?.names);
  const offset = typeName?.location;
  const target = targetOf(type);
  if (!target || typeName?.arrayBounds || typeName?.setof)
    return refuse(
      "query.unsupported",
      `the type ${type} is not known`,
      /time|interval/.test(type)
        ? "cast to date or timestamp; an interval is added to one: t + INTERVAL '1 month'; a time of day is compared: t::time < TIME '09:30'"
        : "cast to double precision, bigint, text, boolean, date or timestamp",
      offset,
    );
  const arg = resolve(part(cast.arg));
  const [size, digits] = typeSizes(typeName);
  const isDecimal = type === "numeric";
  if (size !== undefined && !isDecimal && target.operator !== "to-text")
    refuse(
      "query.unsupported",
      `the type ${type} has no length or precision here`,
      `write CAST(${writeSql(arg)} AS ${type})`,
      offset,
    );
  if (target.time) return castToTime(target.time, arg, build, offset);
  const { operator } = target;
  if (operator === "to-text") {
    const text = asText(arg, build, offset);
    return size === undefined ? text : build.call("left", [text, build.literal(size)], offset);
  }
  if (isTime(arg.domain)) demandType(arg, operator === "to-boolean" ? "boolean" : "number", offset);
  const number = build.call(operator, [arg], offset);
  return size === undefined ? number : build.call("round", [number, build.literal(digits ?? 0)], offset);
}

const mostDigits = 15;
const mostCharacters = 10_000;

/**
 * Returns the numbers behind a type's name: the length of a text, or the precision and the digits behind the point of a decimal number, which rounds to
 * them. Empty where there are none. Errors: query.unsupported for what is no such number.
 */
export function typeSizes(typeName: TypeName | undefined): readonly number[] {
  const sizes = (typeName?.typmods ?? []).map((node) =>
    "A_Const" in node && node.A_Const.ival ? (node.A_Const.ival.ival ?? 0) : Number.NaN,
  );
  const [first, digits = 0] = sizes;
  if (sizes.length === 0) return [];
  const isKnown =
    first !== undefined && first >= 1 && first <= mostCharacters && digits >= 0 && digits <= mostDigits;
  return isKnown && sizes.length <= 2
    ? sizes
    : refuse(
        "query.unsupported",
        "the length or the precision of this type is not supported",
        `write numeric(10, 2) with at most ${mostDigits} digits behind the point, or varchar(20)`,
        typeName?.location,
      );
}
