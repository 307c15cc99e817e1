import { expect, it } from "vitest";
import { narrow } from "./narrow.ts";

it.each([
  [0, 127, "tinyint"],
  [-128, 0, "tinyint"],
  [0, 128, "smallint"],
  [-129, 0, "smallint"],
  [-32_768, 32_767, "smallint"],
  [0, 32_768, "integer"],
  [-(2 ** 31), 2 ** 31 - 1, "integer"],
])("integers from %d to %d fit %s", (lo, hi, type) => {
  expect(narrow("x", lo, hi)).toBe(`TRY_CAST(x AS ${type})`);
});

it.each([
  [0, 2 ** 31],
  [-(2 ** 31) - 1, 0],
  [Number.NEGATIVE_INFINITY, 0],
])("integers from %d to %d stay as they are", (lo, hi) => {
  expect(narrow("x", lo, hi)).toBe("x");
});
