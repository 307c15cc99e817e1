/** A day of the Gregorian calendar, which is taken to have been in force for ever. */
export interface CalendarDay {
  readonly year: number;
  /** 1 … 12 */
  readonly month: number;
  /** 1 … 31 */
  readonly day: number;
}

const daysPerEra = 146_097;
/** The days from 0000-03-01 to 1970-01-01. */
const marchToEpoch = 719_468;

/**
 * Returns the days from 1970-01-01 to a day, which may be out of its month (the 0th is the last of the month before).
 * Source: Hinnant 2013, "chrono-compatible low-level date algorithms": years begin in March, so that the leap day is a
 * year's last, and repeat after 400.
 * @example daysOf({ year: 2000, month: 3, day: 1 }) // => 11017
 */
export function daysOf({ year, month, day }: CalendarDay): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysPerEra + dayOfEra - marchToEpoch;
}

/** The inverse of {@link daysOf}. */
export function dayOf(days: number): CalendarDay {
  const shifted = days + marchToEpoch;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** Returns the same day some months later, or the last day of a month that is too short for it. */
export function addMonths(days: number, months: number): number {
  const { year, month, day } = dayOf(days);
  const at = year * 12 + month - 1 + months;
  const start = firstOfMonth(at);
  return start + Math.min(day, firstOfMonth(at + 1) - start) - 1;
}

/** Months are counted from the beginning of the year 0. */
function firstOfMonth(months: number): number {
  const year = Math.floor(months / 12);
  return daysOf({ year, month: months - year * 12 + 1, day: 1 });
}

/** 0 is Monday. */
export function weekdayOf(days: number): number {
  return (((days + 3) % 7) + 7) % 7;
}
