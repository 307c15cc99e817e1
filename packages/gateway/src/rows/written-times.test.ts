import type { PlannedAggregate } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { timeOf, writtenTimes } from "./written-times.ts";

describe("a time and its interval", () => {
  it("are days counted from 1970, written as dates", () => {
    // 2024 began 54 years of 365 days and 13 leap days after 1970.
    const start = 54 * 365 + 13;
    expect(writtenTimes("date", { value: start, lower: start - 1, upper: start + 59 })).toEqual({
      value: "2024-01-01",
      lower: "2023-12-31",
      upper: "2024-02-29",
    });
  });

  it("are cut to the second, and the ends go outward to it", () => {
    expect(writtenTimes("timestamp", { value: 61.9, lower: 59.5, upper: 3600.1 })).toEqual({
      value: "1970-01-01 00:01:01",
      lower: "1970-01-01 00:00:59",
      upper: "1970-01-01 01:00:01",
    });
    expect(writtenTimes("timestamp", { value: 2, lower: 2, upper: 2 })).toEqual({
      value: "1970-01-01 00:00:02",
      lower: "1970-01-01 00:00:02",
      upper: "1970-01-01 00:00:02",
    });
  });

  it("are of quantiles of times alone", () => {
    const of = (aggregate: object) => timeOf(aggregate as PlannedAggregate);
    expect(of({ kind: "quantile", time: "date" })).toBe("date");
    expect(of({ kind: "quantile" })).toBeNull();
    expect(of({ kind: "avg", time: "date" })).toBeNull();
  });
});
