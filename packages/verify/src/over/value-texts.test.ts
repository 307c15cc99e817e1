import { describe, expect, it } from "vitest";
import { hidden, type Seen } from "../derive/released/released-value.ts";
import { Unmade } from "./unmade.ts";
import { placesTogether, valueTexts } from "./value-texts.ts";

const together = (...values: Seen[]): readonly (readonly number[])[] =>
  placesTogether(valueTexts(values.map((value) => [value])));

describe("values that are equal", () => {
  it("stand together, in the order in which they first stand", () => {
    expect(together("b", null, "a", "b", null)).toEqual([[0, 3], [1, 4], [2]]);
    expect(together(1, 1n, "1", true, 0, -0)).toEqual([[0, 1], [2], [3], [4, 5]]);
  });
  it("are told apart beyond 2^53, from texts too", () => {
    expect(together(9007199254740992n, 9007199254740993n, "9007199254740993")).toEqual([[0], [1], [2]]);
  });
  it("are equal in every column", () => {
    expect(
      placesTogether(
        valueTexts([
          ["a", 1],
          ["a", 2],
          ["a", 1],
        ]),
      ),
    ).toEqual([[0, 2], [1]]);
  });
});

it("of no rows there are none, and rows of no columns are equal", () => {
  expect(valueTexts([])).toEqual([]);
  expect(placesTogether(valueTexts([[], []]))).toEqual([[0, 1]]);
});

it.each<[string, Seen[]]>([
  ["a value is not shown", [1, hidden]],
  ["two numbers may differ by rounding", [5, 1, 7, 1 + 2 ** -45]],
])("nobody knows where %s", (_, values) => {
  expect(() => together(...values)).toThrow(Unmade);
});
