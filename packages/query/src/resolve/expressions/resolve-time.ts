import type { A_Expr, FuncCall, Node, TypeCast } from "@pgsql/types";
import type { Operands } from "../../expressions/arity.ts";
import { timeLiteral } from "../../expressions/build/align-times.ts";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import {
  fieldRanges,
  type TimeField,
  type TimeUnit,
  timeUnits,
  unitLength,
} from "../../expressions/calendar/parts.ts";
import { readTime, type TimeType } from "../../expressions/calendar/times.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { type Interval, readInterval } from "../../expressions/interval-text.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";

export const timeTypes: Readonly<Record<string, TimeType>> = {
  date: "date",
  timestamp: "timestamp",
  timestamptz: "timestamp",
  datetime: "timestamp",
};

const isLiteralText = (expression: Expression): expression is Expression & { readonly value: string } =>
  expression.kind === "literal" && typeof expression.value === "string";

/** CAST(x AS date), DATE '…'. A timestamp with a time zone is one in UTC. */
export function castToTime(
  type: TimeType,
  arg: Expression,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  if (isLiteralText(arg)) return timeLiteral(type, arg.value, build, offset);
  const { domain } = arg;
  if (domain.type === "text" || isTime(domain)) return build.call(`to-${type}`, [arg], offset);
  return refuse(
    "query.type",
    `${writeSql(arg)} is not a date or a timestamp`,
    `declare the column as { type: ${type} } in the policy, or count from a day: DATE '1970-01-01' + 30`,
    offset,
  );
}

/** INTERVAL '1 month', or what is no interval: null. */
export function intervalOf(node: Node | undefined): Interval | null {
  if (!node || !("TypeCast" in node)) return null;
  const { arg, typeName } = node.TypeCast;
  if (functionName(typeName?.names) !== "interval") return null;
  const text = arg && "A_Const" in arg ? arg.A_Const.sval?.sval : undefined;
  const found = text === undefined ? null : readInterval(text, unitOf(node.TypeCast));
  return (
    found ??
    refuse(
      "query.type",
      "an interval consists of whole years, months, weeks, days, hours, minutes or seconds, and spans at most 250 years",
      "write INTERVAL '1 month', or INTERVAL '2 days 12 hours'",
      typeName?.location,
    )
  );
}

/** The bit that PostgreSQL's grammar sets for INTERVAL '3' DAY. */
const unitBits: Readonly<Record<number, string>> = {
  2: "month",
  4: "year",
  8: "day",
  1024: "hour",
  2048: "minute",
  4096: "second",
};

function unitOf({ typeName }: TypeCast): string | null {
  const [mask] = typeName?.typmods ?? [];
  if (!mask) return "second";
  const bits = "A_Const" in mask ? mask.A_Const.ival?.ival : undefined;
  return unitBits[bits ?? 0] ?? null;
}

/** + and − with a time on one side; null where there is none. `resolve` resolves a part of the expression. */
export function resolveTimeArithmetic(
  { lexpr, rexpr, location }: A_Expr,
  symbol: string,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  if ((symbol !== "+" && symbol !== "-") || !lexpr || !rexpr) return null;
  const sign = symbol === "-" ? -1 : 1;
  const right = intervalOf(rexpr);
  if (right) return added(resolve(lexpr), right, sign, build, location);
  const left = intervalOf(lexpr);
  if (left && sign > 0) return added(resolve(rexpr), left, 1, build, location);
  if (left)
    return refuse(
      "query.type",
      "nothing can be subtracted from an interval",
      "write time - INTERVAL '1 day'",
      location,
    );
  return timesAdded(resolve(lexpr), resolve(rexpr), sign, build, location);
}

/** Whether a part is a column, a constant, or casts and functions of those: it is resolved to see its type, and again where that is another. */
function isPlainPart(node: Node): boolean {
  if ("ColumnRef" in node || "A_Const" in node) return true;
  if ("TypeCast" in node) return node.TypeCast.arg !== undefined && isPlainPart(node.TypeCast.arg);
  if ("CoalesceExpr" in node) return (node.CoalesceExpr.args ?? []).every(isPlainPart);
  return "FuncCall" in node && (node.FuncCall.args ?? []).every(isPlainPart);
}

/** The seconds of a − b between timestamps, whose difference is an interval; null for what is no such difference. */
function secondsOf(
  node: Node | undefined,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  if (!node || !("A_Expr" in node) || node.A_Expr.kind !== "AEXPR_OP") return null;
  const { name, lexpr, rexpr, location } = node.A_Expr;
  if (functionName(name) !== "-" || !lexpr || !rexpr || intervalOf(rexpr) || intervalOf(lexpr)) return null;
  if (!isPlainPart(lexpr) || !isPlainPart(rexpr)) return null;
  const ends = [resolve(lexpr), resolve(rexpr)];
  const areTimes = ends.every(({ domain }) => isTime(domain));
  if (!areTimes || ends.every(({ domain }) => domain.type === "date")) return null;
  const seconds = ends.map((time) => {
    const moment = time.domain.type === "date" ? build.call("to-timestamp", [time], location) : time;
    return build.call("extract", [moment, build.literal("epoch")], location);
  });
  return build.call("-", seconds, location);
}

const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** A written interval that is compared with something, on its left or its right side. */
interface ComparedInterval {
  readonly interval: Interval;
  readonly other: Node | undefined;
  readonly isLeft: boolean;
}

/** Returns the one interval of a comparison; null for any other operator, and where both sides are intervals or none is. */
export function comparedInterval({ lexpr, rexpr }: A_Expr, symbol: string): ComparedInterval | null {
  if (!comparisons.has(symbol)) return null;
  const [left, right] = [intervalOf(lexpr), intervalOf(rexpr)];
  if (left) return right ? null : { interval: left, other: rexpr, isLeft: true };
  return right && { interval: right, other: lexpr, isLeft: false };
}

/** a − b < INTERVAL '10 minutes', in seconds; null for any other operator. Errors: query.type for months, which have no fixed length. */
export function comparedSpans(
  compared: A_Expr,
  symbol: string,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  const { location } = compared;
  const found = comparedInterval(compared, symbol);
  const seconds = found && secondsOf(found.other, build, resolve);
  if (!found || !seconds) return null;
  const { interval, isLeft } = found;
  if (interval.months !== 0)
    return refuse(
      "query.type",
      "a month has no fixed length, so no time between timestamps is compared with it",
      "write days: INTERVAL '30 days'",
      location,
    );
  const length = build.literal(interval.days * 86_400 + interval.microseconds / 1e6);
  return build.call(symbol as "<", isLeft ? [length, seconds] : [seconds, length], location);
}

/**
 * EXTRACT(epoch FROM a − b), and EXTRACT(day FROM a − b), which is the whole days, of timestamps; null for every other call.
 */
export function extractedSpan(
  { funcname, args = [], location }: FuncCall,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  const [field, time] = args;
  const isExtract = ["extract", "date_part"].includes(functionName(funcname)) && args.length === 2;
  const written = field && "A_Const" in field ? (field.A_Const.sval?.sval ?? "").toLowerCase() : "";
  if (!isExtract || (written !== "epoch" && written !== "day")) return null;
  const seconds = secondsOf(time, build, resolve);
  if (!seconds || written === "epoch") return seconds;
  const days = build.call("/", [seconds, build.literal(86_400)], location);
  return build.call("trunc", [days], location);
}

function timesAdded(
  a: Expression,
  b: Expression,
  sign: number,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression | null {
  if (!isTime(a.domain) && !isTime(b.domain)) return null;
  const days = [a, b].map(wholeNumber);
  if (days[1] !== undefined && a.domain.type === "date")
    return added(a, { months: 0, days: days[1], microseconds: 0 }, sign, build, offset);
  if (days[0] !== undefined && b.domain.type === "date" && sign > 0)
    return added(b, { months: 0, days: days[0], microseconds: 0 }, 1, build, offset);
  if (sign > 0 || [a, b].some(({ domain }) => domain.type === "number"))
    return refuse(
      "query.type",
      "only a constant number of days, or a constant interval, can be added to a time",
      "write d + 30, or t + INTERVAL '1 month'",
      offset,
    );
  if ([a, b].some(({ domain }) => domain.type === "timestamp"))
    return refuse(
      "query.type",
      "the time between two timestamps is a number of seconds here, not an interval",
      `write ${[a, b].map((side) => `EXTRACT(epoch FROM ${writeSql(side)})`).join(" - ")}`,
      offset,
    );
  return build.call("days-between", [a, b], offset);
}

function wholeNumber(expression: Expression): number | undefined {
  const { domain } = expression;
  const [value, ...others] = domain.type === "number" && !domain.nullable ? (domain.values ?? []) : [];
  const isWhole = value !== undefined && others.length === 0 && Number.isInteger(value);
  return isWhole && Math.abs(value) <= 91_000 ? value : undefined;
}

export function added(
  time: Expression,
  interval: Interval,
  sign: number,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const moved = isLiteralText(time)
    ? timeLiteral(readTime("date", time.value) === null ? "timestamp" : "date", time.value, build, offset)
    : time;
  const hasClock = interval.microseconds !== 0 && moved.domain.type === "date";
  const at = hasClock ? build.call("to-timestamp", [moved], offset) : moved;
  const parts = [interval.months, interval.days, interval.microseconds].map((part) =>
    build.literal(sign * part),
  );
  return build.call("add-interval", [at, ...parts], offset);
}

/** DATE_TRUNC('month', t). */
export function truncate(
  [unit, time]: Operands<"two", Expression>,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const name = isLiteralText(unit) ? unit.value.toLowerCase().replace(/s$/, "") : "";
  if (!(timeUnits as readonly string[]).includes(name))
    refuse("query.type", "the unit of DATE_TRUNC must be a constant", didYouMean(name, timeUnits), offset);
  if (time.domain.type === "date" && unitLength[name as TimeUnit] !== null)
    refuse(
      "query.type",
      `a date has no ${name}`,
      "cut it to a day, a week, a month, a quarter or a year",
      offset,
    );
  return build.call("date-trunc", [time, build.literal(name)], offset);
}

const otherFields: Readonly<Record<string, TimeField>> = { dayofweek: "dow", dayofyear: "doy" };
const fields = Object.keys(fieldRanges);

/** EXTRACT(year FROM t). */
export function extract(
  [field, time]: Operands<"two", Expression>,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const written = isLiteralText(field) ? field.value.toLowerCase() : "";
  const name = otherFields[written] ?? (written as TimeField);
  if (!fields.includes(name))
    refuse(
      "query.type",
      "EXTRACT takes only fields that every engine computes in the same way",
      /second/.test(name)
        ? "write EXTRACT(epoch FROM t), or DATE_TRUNC('second', t)"
        : didYouMean(name, fields),
      offset,
    );
  if (time.domain.type === "date" && (name === "hour" || name === "minute"))
    refuse("query.type", `a date has no ${name}`, "declare the column as a timestamp in the policy", offset);
  return build.call("extract", [time, build.literal(name)], offset);
}
