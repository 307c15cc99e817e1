import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMonths, dayOf, daysOf, weekdayOf } from "./days.ts";
import { fieldOf, fieldRanges, nextUnit, type TimeField, timeUnits, truncateTime } from "./parts.ts";
import { isWithin, microsecondsPerDay, readTime, timeLimits, writeTime } from "./times.ts";

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
});
