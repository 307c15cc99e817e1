import type { TimeField } from "../../expressions/calendar/parts.ts";
import { timeLimits, timePattern, writeTime } from "../../expressions/calendar/times.ts";
import type { TimeText } from "../times.ts";
import { evaluatedOnce } from "./guards.ts";
import { double, text } from "./literals.ts";

const epoch = "DATE '1970-01-01'";

/** The date or timestamp, without a zone, that a text writes; NULL where it writes none. */
export function writtenTime(value: string): string {
  return `TRY_CAST(regexp_extract(${value}, ${text(timePattern)}, 1) AS TIMESTAMP)`;
}

/** The limits of a type's numbers as SQL of timestamps, the second one exclusive for dates. */
export function limits(
  type: "date" | "timestamp",
  [lo, hi]: readonly [number, number],
): readonly [string, string] {
  return type === "date"
    ? [`TIMESTAMP '${writeTime("date", lo)}'`, `TIMESTAMP '${writeTime("date", hi)} 23:59:59.999999'`]
    : [`TIMESTAMP '${writeTime(type, lo)}'`, `TIMESTAMP '${writeTime(type, hi)}'`];
}

/** An integer of a finite timestamp: its days, or its microseconds. */
export function numberOfTime(type: "date" | "timestamp", timestamp: string): string {
  return type === "date" ? `(CAST(${timestamp} AS DATE) - ${epoch})` : `epoch_us(${timestamp})`;
}

const fields: Partial<Record<TimeField, string>> = { dow: "dayofweek", doy: "dayofyear" };

export const times: TimeText = {
  double,
  once: evaluatedOnce,
  date: (days) => `(${epoch} + CAST(${days} AS INTEGER))`,
  days: (date) => `CAST((CAST(${date} AS DATE) - ${epoch}) AS DOUBLE)`,
  truncated: (unit, date) => `date_trunc('${unit}', ${date})`,
  field: (field, date) => `CAST(${fields[field] ?? field}(${date}) AS DOUBLE)`,
  addedMonths: (months, date) => `(${date} + to_months(${months}))`,
  parsed(type, value) {
    const [lo, hi] = limits(type, timeLimits[type]);
    return evaluatedOnce(
      writtenTime(value),
      (v) => `CASE WHEN ${v} BETWEEN ${lo} AND ${hi} THEN CAST(${numberOfTime(type, v)} AS DOUBLE) END`,
    );
  },
};
