import { describe, expect, it } from "vitest";
import { possibleSigns } from "./answer-setting.ts";
import type { Plan } from "./plan.ts";

describe("the sign that a measured total must have", () => {
  const signs = (
    kind: "row" | "column",
    clamp: readonly [number, number],
    grid: readonly [number, number] = [-100, 100],
  ): ReturnType<typeof possibleSigns> => {
    const [lo, hi] = clamp.map(String);
    const sum = { kind: "sum", lo, hi, grid: { lo: String(grid[0]), hi: String(grid[1]), exponent: 0 } };
    const measurements = [{ name: "m", terms: [{ sum: "s1", coefficient: "1" }] }];
    return possibleSigns(
      {
        unit: { kind },
        sums: [
          { name: "s0", kind: "units" },
          { name: "s1", ...sum },
        ],
        measurements,
      } as unknown as Plan,
      "m",
    );
  };

  it("is that of all that a unit can add, where units have many rows", () => {
    expect(signs("column", [0, 5])).toEqual({ atLeast: 0n });
    expect(signs("column", [1, 5])).toEqual({ atLeast: 0n });
    expect(signs("column", [-1, 5])).toEqual({});
    expect(signs("column", [-5, 0])).toEqual({ atMost: 0n });
    expect(signs("column", [-5, 1])).toEqual({});
    expect(signs("column", [0, 0])).toEqual({ atLeast: 0n, atMost: 0n });
    expect(signs("column", [-3, 9], [0, 9])).toEqual({});
  });

  it("is that of the bounds of a row and of a unit together, where a row is a unit", () => {
    expect(signs("row", [-3, 9], [0, 9])).toEqual({ atLeast: 0n });
    expect(signs("row", [0, 9], [-3, 9])).toEqual({ atLeast: 0n });
    expect(signs("row", [-9, 3], [-9, 0])).toEqual({ atMost: 0n });
    expect(signs("row", [-9, 0], [-9, 3])).toEqual({ atMost: 0n });
    expect(signs("row", [-3, 9], [-1, 9])).toEqual({});
    expect(signs("row", [-1, 9], [-3, 9])).toEqual({});
    expect(signs("row", [-9, 1], [-9, 3])).toEqual({});
    // A row below what a unit may add counts as the least of that.
    expect(signs("row", [2, 9], [-9, -1])).toEqual({ atLeast: 0n });
    expect(signs("row", [-9, -2], [1, 9])).toEqual({ atMost: 0n });
  });

  it("is never below 0 for what is counted", () => {
    for (const kind of ["units", "units-with", "count", "distinct"]) {
      const measurements = [{ name: "m", terms: [{ sum: "s0", coefficient: "1" }] }];
      const plan = { unit: { kind: "row" }, sums: [{ name: "s0", kind }], measurements } as unknown as Plan;
      expect(possibleSigns(plan, "m")).toEqual({ atLeast: 0n });
    }
  });
});
