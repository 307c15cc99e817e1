import { LetheError } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { NumberDomain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { gridFor } from "../../grid/grid.ts";
import type { AggregateBounds } from "./aggregate-bounds.ts";
import { argumentGrid } from "./argument-grid.ts";

function column(bounds: NumberDomain["bounds"], integer = true): Expression {
  const domain: NumberDomain = { type: "number", bounds, integer, nullable: false, values: null };
  return { kind: "column", name: "wage", domain };
}

function stated(per: AggregateBounds["per"], lo: number, hi: number): AggregateBounds {
  return { per, lo, hi };
}

function refusal(argument: Expression, bounds: AggregateBounds | null): LetheError {
  try {
    argumentGrid("SUM", argument, bounds);
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
  throw new Error("expected a refusal");
}

describe("the grid of an argument", () => {
  it("spans the column's bounds, cut by those stated for a row", () => {
    const grid = (bounds: NumberDomain["bounds"], of: AggregateBounds | null) =>
      argumentGrid("SUM", column(bounds), of);
    expect(grid([-9, 9], null)).toEqual(gridFor([-9, 9], true));
    expect(grid([-9, 9], stated("row", 0, 5))).toEqual(gridFor([0, 5], true));
    expect(grid([-9, 9], stated("row", -100, 5))).toEqual(gridFor([-9, 5], true));
    expect(grid([-9, 9], stated("row", 20, 30))).toEqual(gridFor([20, 20], true));
    expect(grid(null, stated("row", -3, 4))).toEqual(gridFor([-3, 4], true));
  });

  it("is unchanged by bounds of a group, which bound a row only where nothing else does", () => {
    expect(argumentGrid("SUM", column([-9, 9]), stated("group", 0, 5))).toEqual(gridFor([-9, 9], true));
    expect(argumentGrid("SUM", column(null), stated("group", -7, 5))).toEqual(gridFor([-7, 7], true));
    expect(argumentGrid("SUM", column(null), stated("group", 0, 5))).toEqual(gridFor([-5, 5], true));
  });

  it("has the step of integers only where the bounds are integers too", () => {
    expect(argumentGrid("SUM", column([0, 9]), stated("row", 0.5, 5))).toEqual(gridFor([0.5, 5], false));
    expect(argumentGrid("SUM", column([0, 9], false), null)).toEqual(gridFor([0, 9], false));
    expect(gridFor([0, 9], false)).not.toEqual(gridFor([0, 9], true));
  });

  it("is refused for bounds that are no range of finite numbers, with a rewrite", () => {
    const { NaN: nan, POSITIVE_INFINITY: endless } = Number;
    for (const [lo, hi] of [
      [5, 0],
      [nan, 1],
      [0, nan],
      [-endless, 1],
      [0, endless],
    ] as const) {
      const error = refusal(column([-9, 9]), stated("row", lo, hi));
      expect(error.code).toBe("query.option");
      expect(error.fix).toMatch(/contribution_bounds_per_row => \(lo, hi\)/);
    }
  });

  it("is refused without bounds, and names the policy only where a column lacks them", () => {
    const bare = refusal(column(null), null);
    expect(bare.code).toBe("query.missing-bounds");
    expect(bare.fix).toMatch(/in the policy wage: \{ bounds/);
  });

  it("is refused for a text", () => {
    const error = refusal(
      { kind: "column", name: "town", domain: { type: "text", nullable: false, values: null } } as Expression,
      null,
    );
    expect(error.code).toBe("query.type");
    expect(error.message).toMatch(/town is text/);
  });
});
