import type { A_Expr, FuncCall, Node } from "@pgsql/types";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";
import { secondsOfDay } from "./clock-times.ts";
import { added, castToTime, comparedInterval, extract } from "./resolve-time.ts";

/**
 * EXTRACT(year FROM AGE(a, b)): the whole years that have gone by from b to a, and EXTRACT(month FROM AGE(a, b)): the whole months beyond them. Null for
 * every other call. Errors: query.unsupported for other fields, since an age has no fixed length.
 */
export function extractedAge(
  { funcname, args = [], location }: FuncCall,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  const name = functionName(funcname);
  const [first, second] = args;
  const isField = ["extract", "date_part"].includes(name) && args.length === 2;
  const age = isField ? second : ["year", "month"].includes(name) && args.length === 1 ? first : undefined;
  if (!age || !("FuncCall" in age) || functionName(age.FuncCall.funcname) !== "age") return null;
  const field = isField ? (first && "A_Const" in first ? (first.A_Const.sval?.sval ?? "") : "") : name;
  const ends = (age.FuncCall.args ?? []).map(resolve);
  const unit = field.toLowerCase().replace(/s$/, "");
  if ((unit !== "year" && unit !== "month") || ends.length !== 2)
    return refuse(
      "query.unsupported",
      "of an age only the whole years and the months beyond them are known, between two times",
      "write EXTRACT(year FROM AGE(a, b)), or a - b for the days between dates",
      location,
    );
  const [to, from] = ends.map((end) => timeOf(end, build, location));
  const months = monthsBetween(from!, to!, build, location);
  const parts = [months, build.literal(12)];
  if (unit === "month") return build.call("%", parts, location);
  return build.call("trunc", [build.call("/", parts, location)], location);
}

/**
 * AGE(a, b) < INTERVAL '18 years', by the calendar: a < b + INTERVAL '18 years'. PostgreSQL compares the parts of an age with a month of 30 days, so that the last day before an
 * anniversary may count as it does. Null for any other operator, and for other sides.
 */
export function comparedAges(
  compared: A_Expr,
  symbol: string,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  const found = comparedInterval(compared, symbol);
  if (!found?.other || !("FuncCall" in found.other)) return null;
  const { location } = compared;
  const { funcname, args = [] } = found.other.FuncCall;
  if (functionName(funcname) !== "age" || args.length !== 2) return null;
  const [to, from] = args.map((end) => timeOf(resolve(end), build, location)) as [Expression, Expression];
  const then = added(from, found.interval, 1, build, location);
  return build.call(symbol as "<", found.isLeft ? [then, to] : [to, then], location);
}

function timeOf(end: Expression, build: ExpressionBuilder, offset: number | undefined): Expression {
  return isTime(end.domain) ? end : castToTime("date", end, build, offset);
}

/** The whole months from one time to another, which are negative where the second comes first. */
export function monthsBetween(
  from: Expression,
  to: Expression,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const call = (
    operator: "+" | "-" | "*" | ">=" | "<" | "negate" | "extract",
    ...args: Expression[]
  ): Expression => build.call(operator, args, offset);
  const field = (name: "year" | "month" | "day", time: Expression): Expression =>
    extract([build.literal(name), time], build, offset);
  const months = (time: Expression): Expression =>
    call("+", call("*", field("year", time), build.literal(12)), field("month", time));
  const hasClock = [from, to].some(({ domain }) => domain.type === "timestamp");
  const placeInMonth = (time: Expression): Expression => {
    const day = field("day", time);
    if (!hasClock || time.domain.type !== "timestamp")
      return hasClock ? call("*", day, build.literal(86_400)) : day;
    return call("+", call("*", day, build.literal(86_400)), secondsOfDay(time, build, offset));
  };
  const forwards = (a: Expression, b: Expression): Expression => {
    const isShort = call("<", placeInMonth(b), placeInMonth(a));
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    const less = build.case([{ when: isShort, then: build.literal(1) }], build.literal(0), offset);
    return call("-", call("-", months(b), months(a)), less);
  };
  const inOrder = call(">=", to, from);
  // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
  const backwards = { when: build.call("not", [inOrder], offset), then: call("negate", forwards(to, from)) };
  return build.case([backwards], forwards(from, to), offset);
}
