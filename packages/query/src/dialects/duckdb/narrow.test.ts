import { expect, it } from "vitest";
import { narrow } from "./narrow.ts";
import { gridType } from "./to-grid.ts";

it.each([
  [0, 255, "UTINYINT"],
  [0, 0, "UTINYINT"],
  [7, 9, "UTINYINT"],
  [-1, 127, "TINYINT"],
  [-128, 127, "TINYINT"],
  [-128, -128, "TINYINT"],
])("integers from %d to %d fit a byte, %s", (lo, hi, type) => {
  expect(narrow("x", lo, hi)).toBe(`TRY_CAST(x AS ${type})`);
});

it.each([
  [0, 256],
  [-1, 128],
  [-129, 0],
  [-129, 128],
])("integers from %d to %d fit no byte", (lo, hi) => {
  expect(narrow("x", lo, hi)).toBe("x");
});

it.each([
  [0, 2 ** 31 - 1, "INTEGER"],
  [-(2 ** 31), 0, "INTEGER"],
  [-(2 ** 31), 2 ** 31 - 1, "INTEGER"],
  [0, 2 ** 31, "BIGINT"],
  [-(2 ** 31) - 1, 0, "BIGINT"],
  [-(2 ** 31), 2 ** 31, "BIGINT"],
])("a grid from %d to %d is of type %s", (lo, hi, type) => {
  expect(gridType({ exponent: 0, lo: String(lo), hi: String(hi) })).toBe(type);
});
