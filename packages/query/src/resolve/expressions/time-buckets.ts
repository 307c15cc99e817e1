import type { FuncCall, Node } from "@pgsql/types";
import { demandType, type ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import { microsecondsPerDay } from "../../expressions/calendar/times.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Interval } from "../../expressions/interval-text.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";
import { castToTime, extract, intervalOf, truncate } from "./resolve-time.ts";

const longestDays = 1000;
const form = "write TIME_BUCKET(INTERVAL '15 minutes', t), or DATE_TRUNC('month', t)";

/**
 * TIME_BUCKET(interval, t), as DuckDB and TimescaleDB count: from Monday 2000-01-03 on, and from 2000-01-01 where the interval is of months. Null for
 * every other call. Errors: query.type, query.unsupported.
 */
export function timeBucket(
  { funcname, args = [], location }: FuncCall,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  if (functionName(funcname) !== "time_bucket") return null;
  const [width, node, ...others] = args;
  const interval = intervalOf(width);
  if (interval === null || node === undefined || others.length > 0)
    return refuse("query.type", "TIME_BUCKET takes an interval and a time", form, location);
  const time = timeOf(resolve(node), build, location);
  if (interval.months !== 0) return ofMonths(interval, time, build, location);
  const { days, microseconds } = interval;
  const length = days * microsecondsPerDay + microseconds;
  if (!(days >= 0 && microseconds >= 0 && length > 0 && length <= longestDays * microsecondsPerDay))
    refuse(
      "query.type",
      `a bucket of time is longer than nothing and spans at most ${longestDays} days`,
      form,
      location,
    );
  const named = microseconds === 0 && (days === 1 ? "day" : days === 7 ? "week" : null);
  if (named) return truncate([build.literal(named), time], build, location);
  const moment =
    microseconds === 0 || time.domain.type === "timestamp"
      ? time
      : build.call("to-timestamp", [time], location);
  return build.call("time-bucket", [moment, build.literal(days), build.literal(microseconds)], location);
}

function timeOf(arg: Expression, build: ExpressionBuilder, offset: number | undefined): Expression {
  if (arg.kind === "literal" && typeof arg.value === "string")
    return castToTime("timestamp", arg, build, offset);
  if (!isTime(arg.domain)) demandType(arg, "timestamp", offset);
  return arg;
}

const monthUnits: Readonly<Record<number, string>> = { 1: "month", 3: "quarter", 12: "year" };

/** Buckets of months that fit into a year. */
function ofMonths(
  { months, days, microseconds }: Interval,
  time: Expression,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  if (days !== 0 || microseconds !== 0 || months < 1 || 12 % months !== 0)
    return refuse(
      "query.unsupported",
      "a bucket of months has 1, 2, 3, 4, 6 or 12 of them, and no days",
      "write TIME_BUCKET(INTERVAL '3 months', t)",
      offset,
    );
  const unit = monthUnits[months];
  if (unit !== undefined) return truncate([build.literal(unit), time], build, offset);
  const month = extract([build.literal("month"), time], build, offset);
  const year = truncate([build.literal("year"), time], build, offset);
  const later = (by: number): Expression =>
    by === 0 ? year : build.call("add-interval", [year, ...[by, 0, 0].map(build.literal)], offset);
  const branches = Array.from({ length: 12 / months - 1 }, (_, at) => ({
    when: build.call("<=", [month, build.literal((at + 1) * months)], offset),
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    then: later(at * months),
  }));
  return build.case(branches, later(12 - months), offset);
}
