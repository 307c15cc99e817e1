import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMonths, dayOf, daysOf, weekdayOf } from "./days.ts";
import {
  fieldOf,
  fieldRanges,
  nextUnit,
  type TimeField,
  type TimeUnit,
  timeUnits,
  truncateTime,
} from "./parts.ts";
import { isWithin, microsecondsPerDay, readTime, type TimeType, timeLimits, writeTime } from "./times.ts";

/* Against JavaScript's own calendar, which is written apart. */

const days = fc.integer({ min: timeLimits.date[0], max: timeLimits.date[1] });
const moments = fc.tuple(
  fc.integer({ min: timeLimits.timestamp[0], max: timeLimits.timestamp[1] - 1e9 }),
  fc.nat(999_999_999),
);
const dateOf = (day: number): Date => new Date(day * 86_400_000);

describe("days", () => {
  it("are those of the Gregorian calendar", () => {
    fc.assert(
      fc.property(days, (day) => {
        const date = dateOf(day);
        const expected = {
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        };
        expect(dayOf(day)).toEqual(expected);
        expect(daysOf(expected)).toBe(day);
        expect(weekdayOf(day)).toBe((date.getUTCDay() + 6) % 7);
      }),
      { numRuns: 5_000, seed: 1 },
    );
  });

  it.each([
    ["2020-01-31", 1, "2020-02-29"],
    ["2019-01-31", 1, "2019-02-28"],
    ["2020-02-29", 12, "2021-02-28"],
    ["2020-03-31", -1, "2020-02-29"],
    ["2020-12-15", 1, "2021-01-15"],
    ["2020-01-15", -13, "2018-12-15"],
    ["1969-12-31", 2, "1970-02-28"],
    ["2020-02-29", 0, "2020-02-29"],
    ["1900-01-31", 1, "1900-02-28"],
    ["2000-01-31", 1, "2000-02-29"],
    ["2020-05-31", 6, "2020-11-30"],
    ["2020-01-31", 23, "2021-12-31"],
    ["2020-01-01", -12, "2019-01-01"],
    ["0001-01-01", 1, "0001-02-01"],
  ])("%s and %i months are %s", (from, months, to) => {
    expect(writeTime("date", addMonths(readTime("date", from)!, months))).toBe(to);
  });
});

describe("texts", () => {
  it.each([
    ["2020-02-29", "2020-02-29", "2020-02-29 00:00:00"],
    ["2020-02-29 10:20", "2020-02-29", "2020-02-29 10:20:00"],
    ["2020-02-29T23:59:59Z", "2020-02-29", "2020-02-29 23:59:59"],
    ["2020-02-29 10:20:30.25+00:00", "2020-02-29", "2020-02-29 10:20:30.250000"],
    ["1969-12-31 23:59:59.999999-00", "1969-12-31", "1969-12-31 23:59:59.999999"],
    ["1699-12-31", "1699-12-31", null],
    ["9999-12-31", "9999-12-31", null],
  ])("%s", (text, date, timestamp) => {
    const [day, moment] = [readTime("date", text), readTime("timestamp", text)];
    expect(day === null ? null : writeTime("date", day)).toBe(date);
    expect(moment === null ? null : writeTime("timestamp", moment)).toBe(timestamp);
  });

  it.each([
    ...["", "2020", "2020-02-30", "2021-02-29", "0000-01-01", "10000-01-01", "2020-13-01", "2020-00-10"],
    ...["2020-01-00", "2020-01-01 24:00", "2020-01-01 10:60", "2020-01-01 10:20:60", "2020-01-01 10"],
    ...[
      "2020-01-01 10:20:30.1234567",
      "2020-01-01+01",
      " 2020-01-01",
      "2020-1-1",
      "infinity",
      "2020-01-01\n",
    ],
  ])("%j is none", (text) => {
    expect(readTime("date", text)).toBe(null);
    expect(readTime("timestamp", text)).toBe(null);
  });

  it("are read back as they were written", () => {
    fc.assert(
      fc.property(days, moments, (day, [start, rest]) => {
        expect(readTime("date", writeTime("date", day))).toBe(day);
        expect(readTime("timestamp", writeTime("timestamp", start + rest))).toBe(start + rest);
      }),
      { numRuns: 2_000, seed: 2 },
    );
  });
});

describe("parts", () => {
  it("units begin where they were cut, hold what was cut, and follow each other", () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...timeUnits), ([start, rest], unit) => {
        const value = start + rest;
        const first = truncateTime("timestamp", unit, value);
        const next = nextUnit("timestamp", unit, first);
        expect(first <= value && value < next).toBe(true);
        expect(truncateTime("timestamp", unit, first)).toBe(first);
        expect(truncateTime("timestamp", unit, next)).toBe(next);
        expect(truncateTime("timestamp", unit, next - 1)).toBe(first);
      }),
      { numRuns: 3_000, seed: 3 },
    );
  });

  it("fields lie in their ranges and are those of JavaScript", () => {
    fc.assert(
      fc.property(moments, ([start, rest]) => {
        const value = start + rest;
        const date = new Date(Math.floor(value / 1000));
        const field = (name: TimeField): number => fieldOf("timestamp", name, value);
        const read = [
          field("year"),
          field("month"),
          field("day"),
          field("hour"),
          field("minute"),
          field("dow"),
        ];
        expect(read).toEqual([
          date.getUTCFullYear(),
          date.getUTCMonth() + 1,
          date.getUTCDate(),
          date.getUTCHours(),
          date.getUTCMinutes(),
          date.getUTCDay(),
        ]);
        for (const [name, range] of Object.entries(fieldRanges)) {
          const found = field(name as TimeField);
          if (range) expect(range[0] <= found && found <= range[1], name).toBe(true);
        }
      }),
      { numRuns: 3_000, seed: 4 },
    );
  });

  it.each([
    ["2021-01-03", 53],
    ["2021-01-04", 1],
    ["2018-12-31", 1],
    ["2016-01-01", 53],
    ["2020-12-31", 53],
  ])("the week of %s is %i", (text, week) => {
    expect(fieldOf("date", "week", readTime("date", text)!)).toBe(week);
  });

  it("limits are integers that doubles hold, whose products of days are exact", () => {
    for (const [lo, hi] of Object.values(timeLimits))
      for (const limit of [lo, hi]) expect(Number.isSafeInteger(limit)).toBe(true);
    expect(isWithin("timestamp", timeLimits.timestamp[1] + 1)).toBe(false);
    expect(timeLimits.timestamp[0] % microsecondsPerDay === 0).toBe(true);
  });

  const dayOfText = (text: string): number => new Date(`${text}T00:00:00Z`).getTime() / 86_400_000;

  it("limits are the years of four digits, and for timestamps 1700 to 2249, both ends included", () => {
    const microseconds = (text: string): number => dayOfText(text) * 86_400_000_000;
    expect(timeLimits).toEqual({
      date: [dayOfText("0001-01-01"), dayOfText("9999-12-31")],
      timestamp: [microseconds("1700-01-01"), microseconds("2250-01-01") - 1],
    });
    for (const [type, [lo, hi]] of Object.entries(timeLimits) as [TimeType, readonly [number, number]][]) {
      expect([lo - 1, lo, hi, hi + 1].map((value) => isWithin(type, value))).toEqual([
        false,
        true,
        true,
        false,
      ]);
      const texts = [lo, hi].map((value) => writeTime(type, value));
      expect(texts.map((text) => readTime(type, text))).toEqual([lo, hi]);
    }
    expect(readTime("timestamp", "1699-12-31 23:59:59.999999")).toBeNull();
    expect(readTime("timestamp", "2250-01-01")).toBeNull();
  });

  /** The day on which a year, a quarter, a month or a week begins, by JavaScript's calendar. */
  function began(unit: TimeUnit, day: number): number {
    const date = dateOf(day);
    if (unit === "week") return day - ((date.getUTCDay() + 6) % 7);
    if (unit === "year") date.setUTCMonth(0, 1);
    if (unit === "quarter") date.setUTCMonth(Math.floor(date.getUTCMonth() / 3) * 3, 1);
    if (unit === "month") date.setUTCDate(1);
    return date.getTime() / 86_400_000;
  }

  it("of a date are cut as JavaScript cuts them, and of what is shorter than a day nothing is", () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...timeUnits), (day, unit) => {
        const first = truncateTime("date", unit, day);
        expect(first, unit).toBe(began(unit, day));
        const next = nextUnit("date", unit, first);
        expect(began(unit, next), unit).toBe(next);
        expect(began(unit, next - 1), unit).toBe(first);
      }),
      { numRuns: 3_000, seed: 5 },
    );
  });

  it("of a timestamp are cut where its day is, or where its clock is", () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...timeUnits), ([start, rest], unit) => {
        const value = start + rest;
        const lengths: Partial<Record<TimeUnit, bigint>> = { hour: 3600n, minute: 60n, second: 1n };
        const length = lengths[unit];
        const day = Math.floor(value / 86_400_000_000);
        // Microseconds since the day began, in whole units.
        const clock = BigInt(value) - BigInt(day) * 86_400_000_000n;
        const expected =
          length === undefined
            ? BigInt(began(unit, day)) * 86_400_000_000n
            : BigInt(value) - (clock % (length * 1_000_000n));
        expect(BigInt(truncateTime("timestamp", unit, value)), unit).toBe(expected);
      }),
      { numRuns: 3_000, seed: 6 },
    );
  });

  it("of a date and of a moment in it are the same fields, those of JavaScript", () => {
    fc.assert(
      fc.property(moments, ([start, rest]) => {
        const value = start + rest;
        const day = Math.floor(value / 86_400_000_000);
        const date = dateOf(day);
        const expected: Partial<Record<TimeField, number>> = {
          year: date.getUTCFullYear(),
          quarter: Math.floor(date.getUTCMonth() / 3) + 1,
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
          dow: date.getUTCDay(),
          isodow: date.getUTCDay() || 7,
          doy: day - began("year", day) + 1,
        };
        for (const [name, due] of Object.entries(expected) as [TimeField, number][])
          expect([fieldOf("date", name, day), fieldOf("timestamp", name, value)], name).toEqual([due, due]);
        const week = [fieldOf("date", "week", day), fieldOf("timestamp", "week", value)];
        // The week's Thursday says whose year it is, and its days before say how many weeks there were.
        const thursday = began("week", day) + 3;
        const due = Math.floor((thursday - began("year", thursday)) / 7) + 1;
        expect(week).toEqual([due, due]);
        expect([fieldOf("date", "hour", day), fieldOf("date", "minute", day)]).toEqual([0, 0]);
        expect(fieldOf("date", "epoch", day)).toBe(day * 24 * 60 * 60);
        expect(fieldOf("timestamp", "epoch", value)).toBe(value / 1e6);
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it("hours and minutes begin on the microsecond, before 1970 and after it", () => {
    for (const day of [-1000, 0, 20_000])
      for (let minute = 0; minute < 24 * 60; minute += 1) {
        const value = day * 86_400_000_000 + minute * 60_000_000;
        const [last, first] = [value - 1, value].map((at) => [
          fieldOf("timestamp", "hour", at),
          fieldOf("timestamp", "minute", at),
        ]);
        expect(first).toEqual([Math.floor(minute / 60), minute % 60]);
        const before = (minute + 1439) % 1440;
        expect(last).toEqual([Math.floor(before / 60), before % 60]);
        const hour = value - (minute % 60) * 60_000_000;
        expect(truncateTime("timestamp", "minute", value)).toBe(value);
        expect(truncateTime("timestamp", "hour", value)).toBe(hour);
        expect(nextUnit("timestamp", "hour", hour)).toBe(hour + 3_600_000_000);
      }
  });

  it("fields reach the ends of their ranges, each in some year", () => {
    const found = new Map<string, Set<number>>();
    const first = dayOfText("2015-01-01");
    for (let day = first; day < first + 6 * 366; day += 1)
      for (const name of Object.keys(fieldRanges) as TimeField[])
        found.set(name, (found.get(name) ?? new Set()).add(fieldOf("date", name, day)));
    for (let minute = 0; minute < 24 * 60; minute += 1)
      for (const name of ["hour", "minute"] as const)
        found.get(name)!.add(fieldOf("timestamp", name, (first * 1440 + minute) * 60_000_000));
    for (const [name, range] of Object.entries(fieldRanges)) {
      if (range === null) continue;
      const values = [...found.get(name)!];
      expect([Math.min(...values), Math.max(...values)], name).toEqual(range);
    }
    expect([fieldRanges.year, fieldRanges.epoch]).toEqual([null, null]);
  });
});
