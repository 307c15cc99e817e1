import { expect, test } from "vitest";
import { placeOf } from "./place-of.ts";

const text = 'SELECT tow\nFROM people\nWHERE "a b" = 1';

test.each([
  [1, 8, "tow"],
  [2, 6, "people"],
  [3, 7, '"a b"'],
  [3, 13, "="],
  [3, 16, "1"],
])("line %d, column %d marks %s", (line, column, marked) => {
  const place = placeOf({ line, column }, text);
  expect(text.slice(place?.from, place?.to)).toBe(marked);
});

test("no place, and one beyond the text, mark nothing", () => {
  expect(placeOf({ line: null, column: null }, text)).toBeNull();
  expect(placeOf({ line: 4, column: 1 }, text)).toBeNull();
  expect(placeOf({ line: 1, column: 99 }, text)).toBeNull();
});
