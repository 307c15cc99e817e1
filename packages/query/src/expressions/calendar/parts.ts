import { addMonths, dayOf, daysOf, weekdayOf } from "./days.ts";
import { microsecondsPerDay, type TimeType } from "./times.ts";

/** A unit that a time can be truncated to. */
export type TimeUnit = "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | "second";

export const timeUnits: readonly TimeUnit[] = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
];

export function isTimeUnit(word: string): word is TimeUnit {
  return (timeUnits as readonly string[]).includes(word);
}

/** Microseconds of the units below a day; of the others null. */
export const unitLength: Readonly<Record<TimeUnit, number | null>> = {
  year: null,
  quarter: null,
  month: null,
  week: null,
  day: null,
  hour: 3_600_000_000,
  minute: 60_000_000,
  second: 1_000_000,
};

function truncateDay(unit: TimeUnit, days: number): number {
  const { year, month } = dayOf(days);
  switch (unit) {
    case "year":
      return daysOf({ year, month: 1, day: 1 });
    case "quarter":
      return daysOf({ year, month: month - ((month - 1) % 3), day: 1 });
    case "month":
      return daysOf({ year, month, day: 1 });
    case "week":
      return days - weekdayOf(days);
    default:
      return days;
  }
}

/** The first moment of the unit that a time lies in; weeks begin on Monday. */
export function truncateTime(type: TimeType, unit: TimeUnit, value: number): number {
  if (type === "date") return truncateDay(unit, value);
  const length = unitLength[unit];
  if (length !== null) return Math.floor(value / length) * length;
  return truncateDay(unit, Math.floor(value / microsecondsPerDay)) * microsecondsPerDay;
}

/** Monday 2000-01-03, from which buckets are counted. */
const firstBucket = daysOf({ year: 2000, month: 1, day: 3 });

/** A length of time in the numbers of a type, and the first start of a bucket of that length at or behind 0. */
export function bucketOf(
  type: TimeType,
  days: number,
  microseconds: number,
): readonly [length: number, origin: number] {
  const perDay = type === "date" ? 1 : microsecondsPerDay;
  const length = days * perDay + microseconds;
  return [length, (firstBucket * perDay) % length];
}

const unitMonths: Partial<Record<TimeUnit, number>> = { year: 12, quarter: 3, month: 1 };

/** The first moment of the unit behind the one that begins here. */
export function nextUnit(type: TimeType, unit: TimeUnit, start: number): number {
  const length = unitLength[unit];
  if (type === "timestamp" && length !== null) return start + length;
  const perDay = type === "date" ? 1 : microsecondsPerDay;
  const days = start / perDay;
  const months = unitMonths[unit];
  const next = months !== undefined ? addMonths(days, months) : days + (unit === "week" ? 7 : 1);
  return next * perDay;
}

/** A field that can be read off a time, as a whole number; epoch is seconds since 1970 with their fraction. */
export type TimeField =
  | "year"
  | "quarter"
  | "month"
  | "week"
  | "day"
  | "dow"
  | "isodow"
  | "doy"
  | "hour"
  | "minute"
  | "epoch";

/** Smallest and largest value; null where they follow from the time's own bounds. */
export const fieldRanges: Readonly<Record<TimeField, readonly [number, number] | null>> = {
  year: null,
  quarter: [1, 4],
  month: [1, 12],
  week: [1, 53],
  day: [1, 31],
  dow: [0, 6],
  isodow: [1, 7],
  doy: [1, 366],
  hour: [0, 23],
  minute: [0, 59],
  epoch: null,
};

export function isTimeField(word: string): word is TimeField {
  return Object.hasOwn(fieldRanges, word);
}

/** Weeks of ISO 8601: the first of a year has its first Thursday. */
function weekOf(days: number): number {
  const thursday = days - weekdayOf(days) + 3;
  return Math.floor((thursday - daysOf({ year: dayOf(thursday).year, month: 1, day: 1 })) / 7) + 1;
}

/** One field of a time, as PostgreSQL's EXTRACT: dow counts from Sunday, 0, isodow from Monday, 1. */
export function fieldOf(type: TimeType, field: TimeField, value: number): number {
  const days = type === "date" ? value : Math.floor(value / microsecondsPerDay);
  const clock = type === "date" ? 0 : value - days * microsecondsPerDay;
  const { year, month, day } = dayOf(days);
  switch (field) {
    case "year":
      return year;
    case "quarter":
      return Math.floor((month - 1) / 3) + 1;
    case "month":
      return month;
    case "week":
      return weekOf(days);
    case "day":
      return day;
    case "dow":
      return (weekdayOf(days) + 1) % 7;
    case "isodow":
      return weekdayOf(days) + 1;
    case "doy":
      return days - daysOf({ year, month: 1, day: 1 }) + 1;
    case "hour":
      return Math.floor(clock / 3_600_000_000);
    case "minute":
      return Math.floor(clock / 60_000_000) % 60;
    case "epoch":
      return type === "date" ? value * 86_400 : value / 1_000_000;
  }
}
