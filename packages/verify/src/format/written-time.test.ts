import { writeTime } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWrittenTime, writtenTime } from "./written-time.ts";

describe("a time", () => {
  it.each([
    ["date", 0, "1970-01-01"],
    ["date", -1, "1969-12-31"],
    ["date", 18_321, "2020-02-29"],
    ["timestamp", 0, "1970-01-01 00:00:00"],
    ["timestamp", 1, "1970-01-01 00:00:00.000001"],
    ["timestamp", -1, "1969-12-31 23:59:59.999999"],
    ["timestamp", 999_999, "1970-01-01 00:00:00.999999"],
    ["timestamp", 1_000_000, "1970-01-01 00:00:01"],
    ["timestamp", 86_399_000_500, "1970-01-01 23:59:59.000500"],
  ] as const)("%s %d is written %s", (type, value, text) => {
    expect(writtenTime(type, value)).toBe(text);
    expect(isWrittenTime(type, text)).toBe(true);
  });

  it("is written as the service writes it", () => {
    const days = fc.integer({ min: -719_162, max: 2_932_896 });
    fc.assert(fc.property(days, (day) => writtenTime("date", day) === writeTime("date", day)));
    const micros = fc.integer({ min: -8_520_336_000_000_000, max: 8_835_955_200_000_000 });
    fc.assert(fc.property(micros, (at) => writtenTime("timestamp", at) === writeTime("timestamp", at)));
  });

  it.each([
    ["date", "2024-02-30"],
    ["date", "2023-02-29"],
    ["date", "2024-13-01"],
    ["date", "2024-00-01"],
    ["date", "2024-2-1"],
    ["date", "02024-02-01"],
    ["date", "2024-02-01 00:00:00"],
    ["date", "x2024-02-01"],
    ["timestamp", "2024-02-01"],
    ["timestamp", "2024-02-01T00:00:00"],
    ["timestamp", "2024-02-01 24:00:00"],
    ["timestamp", "2024-02-01 29:00:00"],
    ["timestamp", "2024-02-01 12:60:00"],
    ["timestamp", "2024-02-01 12:00:60"],
    ["timestamp", "2024-02-01 12:00:00.5"],
    ["timestamp", "2024-02-01 12:00:00.1234567"],
    ["timestamp", "2024-02-30 12:00:00"],
    ["timestamp", "2024-02-01 12:00:00Z"],
  ] as const)("%s is not written %s", (type, text) => {
    expect(isWrittenTime(type, text)).toBe(false);
  });
});
