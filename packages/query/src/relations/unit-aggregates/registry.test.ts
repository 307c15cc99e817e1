import { describe, expect, it } from "vitest";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { UnitAggregate } from "../unit-aggregate.ts";
import { unitAggregateKindOf, writeUnitAggregate } from "./registry.ts";

const argument = { kind: "column", name: "x" } as never;
const grid = { exponent: -1, lo: "0", hi: "10" };
const whole = { ...grid, exponent: 0 };
const number: ColumnPolicy = { type: "number", nullable: true, bounds: null, default: null };
const bounded: ColumnPolicy = { ...number, bounds: [0, 5] };
const integer: ColumnPolicy = {
  type: "integer",
  nullable: true,
  bounds: [0, 9],
  categories: null,
  default: null,
};

const all: readonly (readonly [UnitAggregate, string, fits: readonly boolean[]])[] = [
  [{ kind: "count", argument: null }, "COUNT(*)", [false, false, true]],
  [{ kind: "count", argument }, "COUNT(x)", [false, false, true]],
  [{ kind: "count-distinct", argument }, "COUNT(DISTINCT x)", [false, false, true]],
  [{ kind: "min", argument }, "MIN(x)", [true, true, true]],
  [{ kind: "max", argument }, "MAX(x)", [true, true, true]],
  [{ kind: "sum", argument, grid }, "SUM(x)", [true, true, false]],
  [{ kind: "sum", argument, grid: whole }, "SUM(x)", [true, true, true]],
  [{ kind: "avg", argument, grid }, "AVG(x)", [false, true, false]],
];

describe("a value of some rows of one unit", () => {
  it.each(all)("is written, and fits its columns alone: %o", (value, written, fits) => {
    expect(writeUnitAggregate(value)).toBe(written);
    const kind = unitAggregateKindOf(value);
    expect([number, bounded, integer].map((column) => kind.fits(value, column))).toEqual(fits);
  });

  it.each(["sum", "avg"] as const)("fits no column where engines may lose what is summed: %s", (kind) => {
    for (const wrong of [
      { ...whole, hi: `${2n ** 54n}` },
      { ...whole, lo: "11" },
    ]) {
      const value = { kind, argument, grid: wrong };
      expect(unitAggregateKindOf(value).fits(value, bounded)).toBe(false);
    }
  });

  it("is 0 of no rows if it is a count, and in windows unless it counts distinct values", () => {
    const told = all.map(([value]) => [
      unitAggregateKindOf(value).isCount,
      unitAggregateKindOf(value).inWindows,
    ]);
    expect(told.slice(0, 4)).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [false, true],
    ]);
  });
});
