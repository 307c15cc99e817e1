import { expect, it } from "vitest";
import { readInterval } from "./interval-text.ts";

it.each([
  ["months", 3_000],
  ["days", 91_000],
  ["microseconds", 7_900_000_000_000_000],
] as const)("an interval may have the most %s, of either sign, and not one more", (part, most) => {
  expect(readInterval(`${most} ${part}`, null)).toMatchObject({ [part]: most });
  expect(readInterval(`-${most} ${part}`, null)).toMatchObject({ [part]: -most });
  expect(readInterval(`${most + 1} ${part}`, null)).toBeNull();
  expect(readInterval(`-${most + 1} ${part}`, null)).toBeNull();
});

it("an interval's numbers of one part add up, and are held to the limit together", () => {
  expect(readInterval("250 years", null)).toEqual({ months: 3_000, days: 0, microseconds: 0 });
  expect(readInterval("250 years -1 month 2 weeks 1 hour", null)).toEqual({
    months: 2_999,
    days: 14,
    microseconds: 3_600_000_000,
  });
  expect(readInterval("250 years 1 month", null)).toBeNull();
});

it.each([
  ["year", "months", 12],
  ["month", "months", 1],
  ["mon", "months", 1],
  ["week", "days", 7],
  ["day", "days", 1],
  ["hour", "microseconds", 3.6e9],
  ["minute", "microseconds", 6e7],
  ["second", "microseconds", 1e6],
  ["microsecond", "microseconds", 1],
] as const)("a %s is so many %s: %d", (unit, part, size) => {
  const none = { months: 0, days: 0, microseconds: 0 };
  expect(readInterval(`3 ${unit}s`, null)).toEqual({ ...none, [part]: 3 * size });
});

it("a bare number has the unit that is given, and none without one", () => {
  expect(readInterval("3", "day")).toEqual({ months: 0, days: 3, microseconds: 0 });
  expect(readInterval("3", null)).toBeNull();
  expect(readInterval("3 fortnights", null)).toBeNull();
  expect(readInterval("1.5 days", null)).toBeNull();
});
