import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Period, periodStart, periods } from "./period.ts";

const at = (text: string): number => Date.parse(text);

describe("a window of the UTC calendar", () => {
  it.each<[Period, string, string]>([
    ["day", "2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
    ["day", "2026-02-28T23:59:59.999Z", "2026-02-28T00:00:00.000Z"],
    ["week", "2026-01-01T12:00:00.000Z", "2025-12-29T00:00:00.000Z"],
    ["week", "2026-01-05T00:00:00.000Z", "2026-01-05T00:00:00.000Z"],
    ["week", "2026-01-04T23:59:59.999Z", "2025-12-29T00:00:00.000Z"],
    ["month", "2024-02-29T23:00:00.000Z", "2024-02-01T00:00:00.000Z"],
    ["month", "2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00.000Z"],
    ["quarter", "2026-03-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z"],
    ["quarter", "2026-04-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"],
    ["quarter", "2026-12-31T00:00:00.000Z", "2026-10-01T00:00:00.000Z"],
    ["ever", "2026-12-31T00:00:00.000Z", "1970-01-01T00:00:00.000Z"],
  ])("of a %s that holds %s begins at %s", (per, moment, start) => {
    expect(new Date(periodStart(per, at(moment))).toISOString()).toBe(start);
  });

  it("begins no later than its moments, and the next begins where it ends", () => {
    fc.assert(
      fc.property(fc.constantFrom(...periods), fc.integer({ min: 0, max: 8.64e14 }), (per, moment) => {
        const start = periodStart(per, moment);
        expect(start).toBeLessThanOrEqual(moment);
        expect(periodStart(per, start)).toBe(start);
        expect(periodStart(per, moment + 86_400_000)).toBeGreaterThanOrEqual(start);
      }),
    );
    expect(periodStart("week", 0)).toBe(0);
  });
});
