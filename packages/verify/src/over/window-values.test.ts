import type { OverFrame, OverWindow, PostExpression } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { hidden, type Seen } from "../derive/released/released-value.ts";
import {
  ascending,
  call,
  descending,
  key,
  literal,
  madeOf,
  toPeers,
  whole,
  windowOf,
} from "../testing/made-of.ts";
import { seenBy } from "./made-rows.ts";
import { stepsLeft } from "./unmade.ts";
import { isNumberWindow, windowValues } from "./window-values.ts";

/** In the order of x, those of a are 1, 2 and 2 (the first and the fifth), 4, NULL. */
const rows = madeOf(
  ["p", "x"],
  [
    ["a", 2],
    ["a", 1],
    ["b", 5],
    ["a", null],
    ["a", 2],
    ["a", 4],
  ],
);
const values = (window: OverWindow, of = rows): readonly Seen[] =>
  windowValues(window, of.rows.map(seenBy(of.columns)), stepsLeft());

const x = key("x");
const inOrder = { partitionBy: [key("p")], orderBy: [ascending("x")], frame: toPeers };
const placesOf = (from: number | null, to: number | null): OverFrame => ({ peers: false, from, to });

describe("a window over the partitions of p in the order of x", () => {
  it.each<[OverWindow["function"], PostExpression[], readonly Seen[]]>([
    ["row_number", [], [2, 1, 1, 5, 3, 4]],
    ["rank", [], [2, 1, 1, 5, 2, 4]],
    ["dense_rank", [], [2, 1, 1, 4, 2, 3]],
    ["percent_rank", [], [0.25, 0, 0, 1, 0.25, 0.75]],
    ["cume_dist", [], [0.6, 0.2, 1, 1, 0.6, 0.8]],
    ["ntile", [literal(3)], [1, 1, 1, 3, 2, 2]],
    ["ntile", [literal(9)], [2, 1, 1, 5, 3, 4]],
    ["ntile", [literal(null)], [null, null, null, null, null, null]],
    ["lag", [x, literal(1), literal(null)], [1, null, null, 4, 2, 2]],
    ["lag", [x, literal(2), literal(-1)], [-1, -1, -1, 2, 1, 2]],
    ["lag", [x, literal(-1), literal(0)], [2, 2, 0, 0, 4, null]],
    ["lag", [x, literal(null), literal(0)], [null, null, null, null, null, null]],
    ["lead", [x, literal(1), literal(0)], [2, 2, 0, 0, 4, null]],
    ["lead", [x, literal(0), literal(0)], [2, 1, 5, null, 2, 4]],
    ["first_value", [x], [1, 1, 5, 1, 1, 1]],
    ["last_value", [x], [2, 1, 5, null, 2, 4]],
    ["nth_value", [x, literal(3)], [2, null, null, 2, 2, 2]],
    ["sum", [x], [5, 1, 5, 9, 5, 9]],
    ["count", [], [3, 1, 1, 5, 3, 4]],
    ["count", [x], [3, 1, 1, 4, 3, 4]],
  ])("%s, of all up to the last peer (case %#)", (name, args, due) => {
    expect(values(windowOf(name, args, inOrder))).toEqual(due);
  });

  it.each<[OverWindow["function"], PostExpression[], OverFrame, readonly Seen[]]>([
    ["sum", [x], placesOf(-1, 1), [5, 3, 5, 4, 8, 6]],
    ["sum", [x], placesOf(1, 2), [6, 4, null, null, 4, null]],
    ["count", [], placesOf(1, 2), [2, 2, 0, 0, 2, 1]],
    ["sum", [x], placesOf(2, 1), [null, null, null, null, null, null]],
    ["sum", [x], placesOf(null, 0), [3, 1, 5, 9, 5, 9]],
    ["sum", [x], placesOf(0, null), [8, 9, 5, null, 6, 4]],
    ["first_value", [x], placesOf(-2, -1), [1, null, null, 2, 1, 2]],
    ["last_value", [x], placesOf(-2, -1), [1, null, null, 4, 2, 2]],
    ["nth_value", [x, literal(2)], placesOf(-1, 1), [2, 2, null, null, 2, 4]],
    ["sum", [x], { peers: true, from: 0, to: null }, [8, 9, 5, null, 8, 4]],
    ["sum", [x], { peers: true, from: 0, to: 0 }, [4, 1, 5, null, 4, 4]],
    ["avg", [x], whole, [2.25, 2.25, 5, 2.25, 2.25, 2.25]],
    ["min", [x], whole, [1, 1, 5, 1, 1, 1]],
    ["max", [x], whole, [4, 4, 5, 4, 4, 4]],
    ["var_pop", [x], whole, [1.1875, 1.1875, 0, 1.1875, 1.1875, 1.1875]],
    ["var_samp", [x], whole, [4.75 / 3, 4.75 / 3, null, 4.75 / 3, 4.75 / 3, 4.75 / 3]],
    ["bool_or", [call(">", x, literal(3))], whole, [true, true, true, true, true, true]],
    ["bool_and", [call(">", x, literal(1))], whole, [false, false, true, false, false, false]],
  ])("%s, of a frame (case %#)", (name, args, frame, due) => {
    expect(values(windowOf(name, args, { ...inOrder, frame }))).toEqual(due);
  });

  it("of the other direction, NULL first", () => {
    expect(values(windowOf("rank", [], { ...inOrder, orderBy: [descending("x")] }))).toEqual([
      3, 5, 1, 1, 3, 2,
    ]);
  });

  it("leaves out what FILTER does not keep", () => {
    const where = call(">", x, literal(1));
    expect(values(windowOf("sum", [x], { ...inOrder, frame: whole, where }))).toEqual([8, 8, 5, 8, 8, 8]);
    expect(values(windowOf("count", [], { ...inOrder, where }))).toEqual([2, 0, 1, 3, 2, 3]);
  });
});

describe("a window without an order", () => {
  it("has all rows for peers, and counts them as they stand", () => {
    expect(values(windowOf("rank", [], { frame: toPeers }))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(values(windowOf("sum", [x], { frame: toPeers }))).toEqual([14, 14, 14, 14, 14, 14]);
    expect(values(windowOf("row_number", [], { partitionBy: [key("p")] }))).toEqual([1, 2, 1, 3, 4, 5]);
  });

  it("of no rows has no values", () => {
    expect(values(windowOf("rank", []), madeOf(["x"], []))).toEqual([]);
  });
});

it("percent_rank of one row is 0, and of equal rows too", () => {
  const window = windowOf("percent_rank", [], { orderBy: [ascending("x")] });
  expect(values(window, madeOf(["x"], [[7]]))).toEqual([0]);
  expect(values(window, madeOf(["x"], [[7], [7]]))).toEqual([0, 0]);
});

it("ntile gives the first sets one row more", () => {
  const five = madeOf(["x"], [[1], [2], [3], [4], [5]]);
  expect(values(windowOf("ntile", [literal(2)]), five)).toEqual([1, 1, 1, 2, 2]);
  expect(values(windowOf("ntile", [literal(4)]), five)).toEqual([1, 1, 2, 3, 4]);
});

it("NULL is a partition of its own", () => {
  const of = madeOf(["p"], [[null], ["a"], [null]]);
  expect(values(windowOf("count", [], { partitionBy: [key("p")] }), of)).toEqual([2, 1, 2]);
});

describe("where rounding may have decided, a window is hidden", () => {
  const close = madeOf(
    ["p", "x"],
    [
      ["a", 1],
      ["a", 1 + 2 ** -45],
      ["b", 1],
    ],
  );
  it("in the partition of two close values", () => {
    const window = windowOf("row_number", [], { partitionBy: [key("p")], orderBy: [ascending("x")] });
    expect(values(window, close)).toEqual([hidden, hidden, 1]);
  });
  it("where FILTER rests on them", () => {
    const where = call(">", key("x"), literal(1));
    expect(values(windowOf("count", [], { partitionBy: [key("p")], where }), close)).toEqual([
      hidden,
      hidden,
      0,
    ]);
  });
});

it.each([0, -1, 1.5, "a"])("a number of sets is counted from 1 on: %s", (number) => {
  const window = (name: "ntile" | "nth_value", args: PostExpression[]): (() => unknown) => {
    return () => values(windowOf(name, args));
  };
  expect(window("ntile", [literal(number)])).toThrow(RangeError);
  expect(window("nth_value", [x, literal(number)])).toThrow(RangeError);
});

it("a window is a number but for those that have the type of their argument, and those of truth", () => {
  const { columns } = madeOf(["t", "x"], [["a", 1]]);
  const isNumber = (name: OverWindow["function"], ...args: PostExpression[]): boolean =>
    isNumberWindow(windowOf(name, args), columns);
  for (const name of ["rank", "count", "ntile", "percent_rank"] as const) expect(isNumber(name)).toBe(true);
  for (const name of ["lag", "lead", "first_value", "last_value", "nth_value", "min", "max"] as const) {
    expect(isNumber(name, key("t"))).toBe(false);
    expect(isNumber(name, key("x"))).toBe(true);
  }
  for (const name of ["bool_and", "bool_or"] as const) expect(isNumber(name, key("t"))).toBe(false);
  expect(isNumber("sum", key("x"))).toBe(true);
  expect(isNumber("count", key("t"))).toBe(true);
});
