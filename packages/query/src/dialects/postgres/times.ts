import { type TimeType, timeLimits, timePattern, writeTime } from "../../expressions/calendar/times.ts";
import type { TimeText } from "../times.ts";
import { evaluatedOnce } from "./let.ts";
import { double, text } from "./literals.ts";

const epoch = "date '1970-01-01'";
const once = (operand: string, body: (name: string) => string): string =>
  evaluatedOnce({ sql: operand }, body);

/** The timestamp that a text writes; NULL where it writes none. `value` is a name, cheap to repeat and no constant. */
export function writtenTime(value: string): string {
  const pattern = text(timePattern);
  return (
    `CASE WHEN ${value} ~ ${pattern} THEN CASE WHEN pg_input_is_valid(left(${value}, 10), 'date') ` +
    `THEN CAST(substring(${value} from ${pattern}) AS timestamp) END END`
  );
}

/** The limits of a type's numbers as timestamps. */
export function limits(type: TimeType, [lo, hi]: readonly [number, number]): readonly [string, string] {
  return type === "date"
    ? [`timestamp '${writeTime("date", lo)}'`, `timestamp '${writeTime("date", hi)} 23:59:59.999999'`]
    : [`timestamp '${writeTime(type, lo)}'`, `timestamp '${writeTime(type, hi)}'`];
}

/** An integer of a finite timestamp: its days, or its microseconds. */
export function numberOfTime(type: TimeType, timestamp: string): string {
  return type === "date"
    ? `(CAST(${timestamp} AS date) - ${epoch})`
    : `CAST(extract(epoch from ${timestamp}) * 1000000 AS bigint)`;
}

export const times: TimeText = {
  double,
  once,
  date: (days) => `(${epoch} + CAST(${days} AS integer))`,
  days: (date) => `CAST((CAST(${date} AS date) - ${epoch}) AS double precision)`,
  truncated: (unit, date) => `date_trunc('${unit}', CAST(${date} AS timestamp))`,
  field: (field, date) => `CAST(extract(${field} from ${date}) AS double precision)`,
  addedMonths: (months, date) => `(${date} + make_interval(months => ${months}))`,
  parsed: (type, value) => {
    const [lo, hi] = limits(type, timeLimits[type]);
    const number = (v: string): string => `CAST(${numberOfTime(type, v)} AS double precision)`;
    return once(value, (v) =>
      once(writtenTime(v), (time) => `CASE WHEN ${time} BETWEEN ${lo} AND ${hi} THEN ${number(time)} END`),
    );
  },
};
