import { expect, test } from "vitest";
import { ageWords, spanWords, windowEnd } from "./window-words.ts";

const at = (iso: string): number => Date.parse(iso);

test.each([
  ["day", "2026-11-28T23:59:59Z", "2026-11-29T00:00:00Z"],
  ["week", "2026-11-28T12:00:00Z", "2026-11-30T00:00:00Z"],
  ["week", "2026-11-30T00:00:00Z", "2026-12-07T00:00:00Z"],
  ["week", "2026-11-29T23:00:00Z", "2026-11-30T00:00:00Z"],
  ["month", "2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"],
  ["quarter", "2026-11-28T00:00:00Z", "2027-01-01T00:00:00Z"],
  ["quarter", "2026-04-01T00:00:00Z", "2026-07-01T00:00:00Z"],
])("a %s that holds %s ends at %s", (per, now, end) => {
  expect(windowEnd(per, at(now))).toBe(at(end));
});

test("a lifetime has no end", () => {
  expect(windowEnd("lifetime", at("2026-11-28T00:00:00Z"))).toBeNull();
});

test("spans and ages are told in their largest unit", () => {
  expect([10_000, 61_000, 3_600_000, 5_400_000, 90_000_000].map(spanWords)).toEqual([
    "1 minute",
    "2 minutes",
    "1 hour",
    "2 hours",
    "2 days",
  ]);
  const now = at("2026-11-28T06:30:00Z");
  expect(
    ["2026-11-28T06:29:30Z", "2026-11-28T06:28:00Z", "2026-11-28T04:00:00Z", "2026-11-26T06:00:00Z"].map(
      (iso) => ageWords(iso, now),
    ),
  ).toEqual(["just now", "2 minutes ago", "2 hours ago", "2 days ago"]);
});
