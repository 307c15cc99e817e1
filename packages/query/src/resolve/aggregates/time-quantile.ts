import { type TimeType, timeLimits } from "../../expressions/calendar/times.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { alwaysNull } from "../../expressions/operators/domains.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { AggregateBounds } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";

/** A time as the number whose quantiles are taken: days since 1970, or seconds with their fractions. */
export interface CountedTime {
  readonly type: TimeType;
  readonly argument: Expression;
}

/**
 * Returns the number that stands for a time; null for a value that is not a date or a timestamp. Errors: query.missing-bounds where the calendar
 * alone bounds it; query.option for bounds in the call.
 */
export function countedTime(
  label: string,
  time: Expression,
  bounds: AggregateBounds | null,
  scope: Scope,
  offset: number | undefined,
): CountedTime | null {
  const { domain } = time;
  if (!isTime(domain) || alwaysNull(domain)) return null;
  const { type } = domain;
  if (bounds !== null)
    refuse(
      "query.option",
      "bounds in a call are numbers, and these values are times",
      `write ${label} without them, and ${label}(…) FILTER (WHERE … > DATE '2024-01-01') for a part of the range`,
      offset,
    );
  const [lo, hi] = timeLimits[type];
  if (domain.bounds[0] <= lo && domain.bounds[1] >= hi)
    refuse(
      "query.missing-bounds",
      `${label}(${writeSql(time)}) needs bounds, and ${writeSql(time)} has none`,
      `declare them in the policy: { type: ${type}, bounds: [2000-01-01, 2025-12-31] }`,
      offset,
    );
  const { build } = scope;
  if (type === "timestamp")
    return { type, argument: build.call("extract", [time, build.literal("epoch")], offset) };
  return { type, argument: build.call("days-between", [time, build.time("date", 0)], offset) };
}
