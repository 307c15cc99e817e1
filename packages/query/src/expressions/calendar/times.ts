import { type CalendarDay, dayOf, daysOf } from "./days.ts";

/**
 * The two kinds of time that Lethe knows. A date is a number of days since 1970-01-01; a timestamp a number of microseconds
 * since 1970-01-01 00:00 UTC. Both are integers that doubles hold exactly.
 */
export type TimeType = "date" | "timestamp";

export const microsecondsPerDay: number = 86_400_000_000;

/** The range of times: years of four digits, and for timestamps years whose microseconds stay below 2^53. Times outside are NULL. */
export const timeLimits: Readonly<Record<TimeType, readonly [number, number]>> = {
  date: [daysOf({ year: 1, month: 1, day: 1 }), daysOf({ year: 9999, month: 12, day: 31 })],
  timestamp: [
    daysOf({ year: 1700, month: 1, day: 1 }) * microsecondsPerDay,
    daysOf({ year: 2250, month: 1, day: 1 }) * microsecondsPerDay - 1,
  ],
};

export function isWithin(type: TimeType, value: number): boolean {
  const [lo, hi] = timeLimits[type];
  return lo <= value && value <= hi;
}

/**
 * The form in which a time is written: ISO 8601, a blank or a T before the time of day, at most microseconds, and no zone but
 * UTC. It is the source of a regular expression that engines read alike; its one group holds all but the zone.
 */
export const timePattern: string =
  "^([0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,6})?)?)?)(?:Z|[+-]00(?::?00)?)?$";
const written = new RegExp(timePattern);

/**
 * The time that a text writes, a date's time of day dropped; null where it writes none within the limits.
 * @example readTime("date", "2020-02-29") // => 18321
 */
export function readTime(type: TimeType, text: string): number | null {
  const [, whole] = written.exec(text) ?? [];
  if (whole === undefined) return null;
  const [year, month, day, hour = 0, minute = 0, second = 0] = whole.split(/[-T :.]/).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  const days = daysOf({ year, month, day });
  const found = dayOf(days);
  if (month < 1 || month > 12 || found.month !== month || found.day !== day) return null;
  const fraction = Number((whole.split(".")[1] ?? "").padEnd(6, "0"));
  const value =
    type === "date"
      ? days
      : days * microsecondsPerDay + ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction;
  return isWithin(type, value) ? value : null;
}

const digits = (value: number, count: number): string => String(value).padStart(count, "0");
const writeDay = ({ year, month, day }: CalendarDay): string =>
  `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;

/** 2020-02-29, or 2020-02-29 12:30:00 with six digits more where there are fractions of a second. */
export function writeTime(type: TimeType, value: number): string {
  if (type === "date") return writeDay(dayOf(value));
  const days = Math.floor(value / microsecondsPerDay);
  const rest = value - days * microsecondsPerDay;
  const seconds = Math.floor(rest / 1_000_000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const fraction = rest % 1_000_000;
  const shown = clock.map((part) => digits(part, 2)).join(":");
  return `${writeDay(dayOf(days))} ${shown}${fraction > 0 ? `.${digits(fraction, 6)}` : ""}`;
}
