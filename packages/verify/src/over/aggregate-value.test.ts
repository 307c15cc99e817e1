import type { OverAggregate } from "@lethe/query";
import { expect, it } from "vitest";
import { hidden, type Seen } from "../derive/released/released-value.ts";
import { call, key, literal, madeOf } from "../testing/made-of.ts";
import { aggregateValue, givenBy, isNumberAggregate } from "./aggregate-value.ts";
import { seenBy } from "./made-rows.ts";

it.each<[OverAggregate, Seen[], Seen]>([
  ["count", [], 0],
  ["count", [null, 1, null], 1],
  ["count", [1, hidden], hidden],
  ["sum", [], null],
  ["sum", [null], null],
  ["sum", [1, null, 2.5], 3.5],
  ["sum", [1n, 2], 3],
  ["sum", [1e308, 1e308], null],
  ["sum", ["a"], null],
  ["avg", [1, null, 2], 1.5],
  ["avg", [null], null],
  ["min", [3, null, -1, 2], -1],
  ["max", [3, null, -1, 2], 3],
  ["min", ["b", "a"], "a"],
  ["max", ["2024-01-02", "2024-01-10"], "2024-01-10"],
  ["max", [9007199254740993n, 9007199254740992n], 9007199254740993n],
  ["min", [null], null],
  ["var_samp", [5], null],
  ["var_samp", [1, 2, 3], 1],
  ["var_pop", [5], 0],
  ["var_pop", [1, 3], 1],
  ["var_pop", [], null],
  ["stddev_samp", [5, null], null],
  ["stddev_samp", [2, 4, 6], 2],
  ["stddev_pop", [2, 6], 2],
  ["bool_and", [true, null], true],
  ["bool_and", [true, false], false],
  ["bool_and", [null], null],
  ["bool_or", [false, null], false],
  ["bool_or", [false, true], true],
  ["bool_or", [], null],
  ["bool_or", [true, hidden], hidden],
])("%s of %o", (name, values, due) => {
  expect(aggregateValue(name, values)).toBe(due);
});

it("a row gives a value where FILTER is true, and a row itself counts", () => {
  const { columns, rows } = madeOf(["x"], [[3], [null], [1 + 2 ** -45]]);
  const seen = rows.map(seenBy(columns));
  const where = call(">", key("x"), literal(1));
  expect(seen.map((row) => givenBy(key("x"), null, row))).toEqual([[3], [null], [1 + 2 ** -45]]);
  expect(seen.map((row) => givenBy(null, where, row))).toEqual([[true], [], [hidden]]);
});

it("an aggregate is a number, but for the extremes of what is none, and truth", () => {
  const { columns } = madeOf(["t", "x"], [["a", 1]]);
  const isNumber = (name: OverAggregate, argument = "x"): boolean =>
    isNumberAggregate(name, key(argument), columns);
  expect(isNumber("sum")).toBe(true);
  expect(isNumber("count", "t")).toBe(true);
  expect(isNumber("min")).toBe(true);
  expect(isNumber("min", "t")).toBe(false);
  expect(isNumber("max", "t")).toBe(false);
  expect(isNumber("bool_and")).toBe(false);
  expect(isNumber("bool_or")).toBe(false);
  expect(isNumberAggregate("count", null, columns)).toBe(true);
});
