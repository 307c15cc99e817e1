/** A time as it is written, in its parts: `clock` is null of a date. */
interface WrittenTime {
  readonly day: Date;
  readonly clock: readonly [hour: number, minute: number, second: number] | null;
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.\d+)?)?$/;
const dayLength = 86_400_000;

function readWritten(text: string): WrittenTime | null {
  const found = form.exec(text);
  if (!found) return null;
  const [year = 0, month = 0, date = 0, ...clock] = found.slice(1).map(Number);
  const day = new Date(0);
  day.setUTCFullYear(year, month - 1, date);
  if (day.getUTCMonth() !== month - 1 || day.getUTCDate() !== date) return null;
  const [hour = 0, minute = 0, second = 0] = clock;
  return { day, clock: found[4] === undefined ? null : [hour, minute, second] };
}

/** Days since Monday. */
const sinceMonday = (day: Date): number => (day.getUTCDay() + 6) % 7;

function yearStart(year: number): Date {
  const day = new Date(0);
  day.setUTCFullYear(year, 0, 1);
  return day;
}

/** The week of ISO 8601, whose Thursday says which year it is of. */
function weekOf(day: Date): number {
  const thursday = new Date(day.getTime() + (3 - sinceMonday(day)) * dayLength);
  const before = thursday.getTime() - yearStart(thursday.getUTCFullYear()).getTime();
  return Math.floor(before / dayLength / 7) + 1;
}

/** Returns a field of a written time; null where it has none. */
export function fieldOfWritten(field: string, text: string): number | null {
  const time = readWritten(text);
  if (!time) return null;
  const { day, clock } = time;
  switch (field) {
    case "year":
      return day.getUTCFullYear();
    case "quarter":
      return Math.ceil((day.getUTCMonth() + 1) / 3);
    case "month":
      return day.getUTCMonth() + 1;
    case "week":
      return weekOf(day);
    case "day":
      return day.getUTCDate();
    case "dow":
      return day.getUTCDay();
    case "isodow":
      return sinceMonday(day) + 1;
    case "doy":
      return (day.getTime() - yearStart(day.getUTCFullYear()).getTime()) / dayLength + 1;
    case "hour":
      return clock?.[0] ?? 0;
    case "minute":
      return clock?.[1] ?? 0;
    default:
      return null;
  }
}

/** Returns the first moment of the unit that a written time lies in, written in the same form; null where there is no such unit. */
export function truncatedWritten(unit: string, text: string): string | null {
  const time = readWritten(text);
  if (!time) return null;
  const { day, clock } = time;
  const write = (first: Date, kept: readonly number[] = []): string => {
    const date = first.toISOString().slice(0, 10);
    if (!clock) return date;
    return `${date} ${[0, 1, 2].map((at) => String(kept[at] ?? 0).padStart(2, "0")).join(":")}`;
  };
  const ofMonth = (month: number): Date => {
    const first = new Date(day.getTime());
    first.setUTCMonth(month, 1);
    return first;
  };
  switch (unit) {
    case "year":
      return write(ofMonth(0));
    case "quarter":
      return write(ofMonth(day.getUTCMonth() - (day.getUTCMonth() % 3)));
    case "month":
      return write(ofMonth(day.getUTCMonth()));
    case "week":
      return write(new Date(day.getTime() - sinceMonday(day) * dayLength));
    case "day":
      return write(day);
    case "hour":
      return write(day, clock?.slice(0, 1));
    case "minute":
      return write(day, clock?.slice(0, 2));
    case "second":
      return write(day, clock ?? []);
    default:
      return null;
  }
}
