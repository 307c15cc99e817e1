import type { TimeField } from "../../expressions/calendar/parts.ts";
import { type TimeType, timeLimits, timePattern, writeTime } from "../../expressions/calendar/times.ts";
import type { TimeText } from "../times.ts";
import { double, text } from "./literals.ts";
import { once } from "./once.ts";

const epoch = "DATE '1970-01-01'";

/** A $ would also match before a last line feed. */
const wholeTime = text(timePattern.replace(/\$$/, String.raw`\z`));

/** The timestamp that a text writes; NULL where it writes none. */
export function writtenTime(value: string): string {
  const found = `regexp_extract(${value}, ${wholeTime}, 1)`;
  return `TRY_CAST(replace(${found}, 'T', ' ') AS timestamp(6))`;
}

/** The limits of a type's numbers as timestamps. */
export function limits(type: TimeType, [lo, hi]: readonly [number, number]): readonly [string, string] {
  return type === "date"
    ? [
        `TIMESTAMP '${writeTime("date", lo)} 00:00:00.000000'`,
        `TIMESTAMP '${writeTime("date", hi)} 23:59:59.999999'`,
      ]
    : [`TIMESTAMP '${writeTime(type, lo)}'`, `TIMESTAMP '${writeTime(type, hi)}'`];
}

/** A timestamp's days. */
const daysOf = (timestamp: string): string => `date_diff('day', ${epoch}, CAST(${timestamp} AS date))`;

/**
 * A timestamp's microseconds: its whole seconds and the six digits behind the point. The double that to_unixtime gives has too few bits.
 * `timestamp` is cheap to repeat.
 */
function microsecondsOf(timestamp: string): string {
  const seconds = `date_diff('second', TIMESTAMP '1970-01-01 00:00:00', date_trunc('second', ${timestamp}))`;
  const digits = `split_part(CAST(CAST(${timestamp} AS timestamp(6)) AS varchar), '.', 2)`;
  return `(${seconds} * 1000000 + CAST(${digits} AS bigint))`;
}

/** An integer of a timestamp: its days, or its microseconds. */
export function numberOfTime(type: TimeType, timestamp: string): string {
  return type === "date" ? daysOf(timestamp) : microsecondsOf(timestamp);
}

const fields: Partial<Record<TimeField, (date: string) => string>> = {
  // Sunday is 7 in Trino, and 0 here.
  dow: (date) => `(day_of_week(${date}) % 7)`,
  isodow: (date) => `day_of_week(${date})`,
  doy: (date) => `day_of_year(${date})`,
};

export const times: TimeText = {
  double,
  once,
  date: (days) => `date_add('day', CAST(${days} AS bigint), ${epoch})`,
  days: (date) => `CAST(${daysOf(date)} AS double)`,
  truncated: (unit, date) => `date_trunc('${unit}', ${date})`,
  field: (field, date) => `CAST(${fields[field]?.(date) ?? `${field}(${date})`} AS double)`,
  addedMonths: (months, date) => `date_add('month', ${months}, ${date})`,
  parsed(type, value) {
    const [lo, hi] = limits(type, timeLimits[type]);
    return once(
      writtenTime(value),
      (v) => `CASE WHEN ${v} BETWEEN ${lo} AND ${hi} THEN CAST(${numberOfTime(type, v)} AS double) END`,
    );
  },
};
