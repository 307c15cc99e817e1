import { expect, test } from "vitest";
import { durationMs, shownDuration } from "./duration.ts";

// PostgreSQL 18 answers SHOW statement_timeout so after SET statement_timeout = ….
test.each([
  ["0", 0, "0"],
  ["0s", 0, "0"],
  ["5000", 5_000, "5s"],
  ["5s", 5_000, "5s"],
  [" 90 s ", 90_000, "90s"],
  ["1.5s", 1_500, "1500ms"],
  [".5s", 500, "500ms"],
  ["1.5min", 90_000, "90s"],
  ["120s", 120_000, "2min"],
  ["24h", 86_400_000, "1d"],
  ["1500us", 2, "2ms"],
  ["2147483647", 2_147_483_647, "2147483647ms"],
  ["2147483648", null, null],
  ["30d", null, null],
  ["-1", null, null],
  ["5 S", null, null],
  ["five", null, null],
  ["", null, null],
])("the time %j is %j ms, shown as %j", (text, ms, shown) => {
  expect(durationMs(text)).toBe(ms);
  expect(shownDuration(text)).toBe(shown);
});
