import { daysOf } from "../calendar/days.ts";
import { nextUnit, type TimeUnit, truncateTime } from "../calendar/parts.ts";
import { microsecondsPerDay, type TimeType } from "../calendar/times.ts";
import { isTime } from "../domain.ts";
import type { ColumnExpression, Expression } from "../expression.ts";
import type { PossibleValues } from "./possible-values.ts";

type Range = readonly [lo: number, hi: number];

/** A column of times, and what is left of its values. */
export interface TimesBelow {
  readonly column: ColumnExpression;
  readonly within: (values: PossibleValues) => PossibleValues;
}

/**
 * Returns what the values left of a day, of the start of a unit or of a year say of the column of times that these are computed of: the column is not NULL, and lies
 * between two times. Null where nothing is known.
 * @example of date_trunc('month', t) in [2024-11-01, 2024-11-01]: t lies from 2024-11-01 00:00 to the last microsecond of 2024-11-30
 */
export function timesBelow(of: Expression, left: PossibleValues): TimesBelow | null {
  // NULL may stand for a time beyond the calendar.
  if (of.kind !== "call" || left.orNull) return null;
  const range = rangeOf(left);
  return range && below(of, range);
}

function rangeOf({ values, from, to }: PossibleValues): Range | null {
  const numbers = values?.map(Number);
  const [lo, hi] = numbers ? [Math.min(...numbers), Math.max(...numbers)] : [from.at, to.at];
  return Number.isFinite(lo) && Number.isFinite(hi) && lo <= hi ? [lo, hi] : null;
}

function below(of: Expression, range: Range): TimesBelow | null {
  if (of.kind === "column")
    return isTime(of.domain) ? { column: of, within: (values) => cut(values, range) } : null;
  if (of.kind !== "call") return null;
  const [time, part] = of.args as readonly [Expression, Expression?];
  if (!isTime(time.domain)) return null;
  const argument = argumentRange(of.operator, time.domain.type, part, range);
  return argument && below(time, argument);
}

/** The times of which a function of them lies in a range; null for other functions. */
function argumentRange(
  operator: string,
  type: TimeType,
  part: Expression | undefined,
  [lo, hi]: Range,
): Range | null {
  const perDay = type === "date" ? 1 : microsecondsPerDay;
  const named = part?.kind === "literal" ? part.value : null;
  switch (operator) {
    case "to-date":
      return [lo * perDay, (hi + 1) * perDay - 1];
    case "to-timestamp":
      return [Math.ceil(lo / microsecondsPerDay), Math.floor(hi / microsecondsPerDay)];
    case "date-trunc": {
      const unit = named as TimeUnit;
      return [lo, nextUnit(type, unit, truncateTime(type, unit, hi)) - 1];
    }
    case "extract":
      return named === "year"
        ? [januaryOf(Math.ceil(lo)) * perDay, januaryOf(Math.floor(hi) + 1) * perDay - 1]
        : null;
    default:
      return null;
  }
}

const januaryOf = (year: number): number => daysOf({ year, month: 1, day: 1 });

/** The values that lie in a range, none of them NULL. */
function cut({ values, from, to }: PossibleValues, [lo, hi]: Range): PossibleValues {
  return {
    values: values?.filter((value) => Number(value) >= lo && Number(value) <= hi) ?? null,
    from: lo > from.at ? { at: lo, within: true } : from,
    to: hi < to.at ? { at: hi, within: true } : to,
    orNull: false,
  };
}
