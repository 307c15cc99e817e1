import type { ColumnPolicy, Expression, GroupedRelation, UnitWindow, WindowedRelation } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { numberColumn } from "../testing/plan-of.ts";
import { valuesFitColumns, windowsFitColumns } from "./made-columns.ts";

const integer = { type: "integer", nullable: false, bounds: null, categories: null, default: null } as const;
const maybe = { ...integer, nullable: true } as const;
const number = { type: "number", nullable: false, bounds: [0, 9], default: null } as const;
const text = { type: "text", nullable: true, categories: null, maxLength: 9, default: null } as const;
const sure = numberColumn("x", false);
const unsure = numberColumn("y", true);
const grid = { exponent: 0, lo: "0", hi: "9" };
const fine = { ...grid, exponent: -1 };

describe("a value of a unit's group fits", () => {
  type Value = GroupedRelation["values"][string];
  const fits = (value: Value, column: ColumnPolicy): boolean =>
    valuesFitColumns({ columns: { v: column }, keys: {}, values: { v: value } } as never);

  it.each<[string, Value, ColumnPolicy, boolean]>([
    ["a count, of integers", { kind: "count", argument: null }, integer, true],
    ["a count, of fractions", { kind: "count", argument: null }, number, false],
    ["a count of values, of integers", { kind: "count-distinct", argument: unsure }, integer, true],
    ["the least, of its type", { kind: "min", argument: sure }, integer, true],
    ["the least, of another type", { kind: "min", argument: sure }, text, false],
    ["the least, that may be NULL, where nothing is", { kind: "max", argument: unsure }, integer, false],
    ["a sum of integers, of integers", { kind: "sum", argument: sure, grid }, integer, true],
    ["a sum of fractions, of integers", { kind: "sum", argument: sure, grid: fine }, integer, false],
    ["a sum of fractions, of numbers", { kind: "sum", argument: sure, grid: fine }, number, true],
    ["a sum, of texts", { kind: "sum", argument: sure, grid }, text, false],
    ["a sum that may be NULL, where nothing is", { kind: "sum", argument: unsure, grid }, integer, false],
    ["a sum that may be NULL, where it may", { kind: "sum", argument: unsure, grid }, maybe, true],
    [
      "a sum on a grid that is turned",
      { kind: "sum", argument: sure, grid: { ...grid, lo: "10" } },
      integer,
      false,
    ],
    [
      "a sum that no engine holds",
      { kind: "sum", argument: sure, grid: { ...grid, hi: `${2n ** 53n + 1n}` } },
      integer,
      false,
    ],
    ["an average, within bounds", { kind: "avg", argument: sure, grid }, number, true],
    ["an average, without", { kind: "avg", argument: sure, grid }, { ...number, bounds: null }, false],
    ["an average, of integers", { kind: "avg", argument: sure, grid }, integer, false],
  ])("%s", (_, value, column, expected) => {
    expect(fits(value, column)).toBe(expected);
  });

  it("where each column is one key or one value", () => {
    const key = (nullable: boolean): Expression => numberColumn("k", nullable);
    const count = { kind: "count", argument: null } as const;
    const good = { columns: { k: integer, n: integer }, keys: { k: key(false) }, values: { n: count } };
    const all = (given: object): boolean => valuesFitColumns({ ...good, ...given } as never);
    expect(all({})).toBe(true);
    expect(all({ keys: { k: key(true) } })).toBe(false);
    expect(all({ columns: { k: maybe, n: integer }, keys: { k: key(true) } })).toBe(true);
    expect(all({ columns: { k: integer } })).toBe(false);
    expect(all({ columns: { k: integer, m: integer } })).toBe(false);
    expect(all({ values: { n: count, k: count } })).toBe(false);
    expect(all({ keys: { toString: key(false) } })).toBe(false);
  });
});

describe("a window fits", () => {
  const order = [{ by: sure, descending: false, nullsFirst: false }];
  const window = (value: UnitWindow["value"], changed: Partial<UnitWindow> = {}): UnitWindow => ({
    value,
    partition: [],
    order,
    frame: null,
    ...changed,
  });
  const fits = (given: UnitWindow, column: ColumnPolicy): boolean =>
    windowsFitColumns({ columns: { v: column }, values: { v: given } } as unknown as WindowedRelation);
  const place = { kind: "row-number", argument: null } as const;
  const sum = { kind: "sum", argument: sure, grid } as const;
  const before = { from: -2, to: -1 };

  it.each<[string, UnitWindow, ColumnPolicy, boolean]>([
    ["a place, of integers", window(place), integer, true],
    ["a place, of fractions", window(place), number, false],
    ["a place in no order", window(place, { order: [] }), integer, false],
    ["what came before, that may be NULL", window({ kind: "lag", argument: sure, by: 1 }), maybe, true],
    [
      "what came before, where nothing is NULL",
      window({ kind: "lag", argument: sure, by: 1 }),
      integer,
      false,
    ],
    ["what came before by half a row", window({ kind: "lag", argument: sure, by: 0.5 }), maybe, false],
    ["what comes long after", window({ kind: "lead", argument: sure, by: 1001 }), maybe, false],
    ["what comes as long after as may be", window({ kind: "lead", argument: sure, by: 1000 }), maybe, true],
    ["what came as long before as may be", window({ kind: "lag", argument: sure, by: -1000 }), maybe, true],
    ["the first, of a frame that has rows", window({ kind: "first", argument: sure }), integer, true],
    ["the first in no order", window({ kind: "first", argument: sure }, { order: [] }), maybe, false],
    ["the first that may be NULL", window({ kind: "last", argument: unsure }), integer, false],
    [
      "the first of a frame that may be empty",
      window({ kind: "first", argument: sure }, { frame: before }),
      integer,
      false,
    ],
    [
      "the last of one, where it may be NULL",
      window({ kind: "last", argument: sure }, { frame: before }),
      maybe,
      true,
    ],
    [
      "a count of a frame that may be empty",
      window({ kind: "count", argument: null }, { frame: before }),
      integer,
      true,
    ],
    ["a sum of a frame that may be empty", window(sum, { frame: before }), integer, false],
    ["a sum up to this row", window(sum, { frame: { from: null, to: 0 } }), integer, true],
    ["a sum of the rows behind", window(sum, { frame: { from: 1, to: 2 } }), integer, false],
    ["a sum of a frame without an end", window(sum, { frame: { from: 0, to: null } }), integer, false],
    ["a sum of a frame that is turned", window(sum, { frame: { from: 1, to: 0 } }), maybe, false],
    ["a sum of too many rows", window(sum, { frame: { from: -1001, to: 0 } }), integer, false],
    ["a sum of the most rows", window(sum, { frame: { from: -1000, to: 1000 } }), integer, true],
    ["a sum of too many rows behind", window(sum, { frame: { from: 0, to: 1001 } }), integer, false],
  ])("%s", (_, given, column, expected) => {
    expect(fits(given, column)).toBe(expected);
  });

  it("where each column is one value", () => {
    const all = (columns: object): boolean =>
      windowsFitColumns({ columns, values: { v: window(place) } } as unknown as WindowedRelation);
    expect(all({ v: integer })).toBe(true);
    expect(all({ w: integer })).toBe(false);
    expect(all({ v: integer, w: integer })).toBe(false);
  });

  it("in no column that every object has by its nature", () => {
    const given = {
      columns: { v: integer },
      values: { toString: window({ kind: "first", argument: sure }) },
    };
    expect(windowsFitColumns(given as unknown as WindowedRelation)).toBe(false);
  });
});
