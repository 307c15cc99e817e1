import { elementAt } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { measured } from "../inference/index.ts";
import { knownResiduals } from "../residuals/index.ts";
import { pairEstimates } from "./pair-estimates.ts";

const sizes = [2, 2, 3];

function known() {
  const found = knownResiduals(sizes);
  found.addTable(measured([0], Float64Array.of(60, 40), 9));
  found.addTable(measured([1], Float64Array.of(70, 30), 9));
  found.addTable(measured([2], Float64Array.of(50, 30, 20), 9));
  return found;
}

describe("estimates of pairs", () => {
  it("take two attributes as independent until their own residual is known", () => {
    const residuals = known();
    const estimates = pairEstimates(sizes, residuals);
    expect([...estimates.of([0, 1])].map(Math.round)).toEqual([42, 18, 28, 12]);
    // The first contrast of two by two is (t00 − t01) − (t10 − t11): 24·… of a table whose diagonal holds more.
    residuals.addResidual({ attributes: [0, 1], values: Float64Array.of(60), variance: 1 });
    estimates.forget([0, 1]);
    const found = estimates.of([0, 1]);
    const [a = 0, b = 0, c = 0, d = 0] = found;
    expect(a - b - c + d).toBeCloseTo(60, 6);
    expect(a + b).toBeCloseTo(60, 6);
    expect(a + c).toBeCloseTo(70, 6);
  });

  it("are the same array until an answer changes them, and then another", () => {
    const residuals = known();
    const estimates = pairEstimates(sizes, residuals);
    const asked = [[0], [1], [2], [0, 1], [0, 2], [1, 2]];
    const first = asked.map((each) => estimates.of(each));
    expect(asked.every((each, at) => estimates.of(each) === first[at])).toBe(true);
    // An answer about a pair changes its table alone.
    residuals.addResidual({ attributes: [0, 1], values: Float64Array.of(10), variance: 1 });
    estimates.forget([0, 1]);
    const second = asked.map((each) => estimates.of(each));
    expect(asked.filter((_, at) => second[at] !== first[at])).toEqual([[0, 1]]);
    // One about an attribute changes its own, and those of all pairs with it.
    residuals.addResidual({ attributes: [1], values: Float64Array.of(10), variance: 1 });
    estimates.forget([1]);
    const third = asked.map((each) => estimates.of(each));
    expect(asked.filter((_, at) => third[at] !== second[at])).toEqual([[1], [0, 1], [1, 2]]);
    // None is left that says something else than the residuals do.
    const anew = pairEstimates(sizes, residuals);
    for (const [at, each] of asked.entries())
      for (const [cell, x] of anew.of(each).entries())
        expect(Math.abs(x - elementAt(elementAt(third, at), cell))).toBeLessThan(0.05);
  });

  it("have no negative cell, whatever was measured", () => {
    const residuals = known();
    residuals.addResidual({ attributes: [0, 2], values: Float64Array.of(400, -300), variance: 1 });
    for (const pair of [
      [0, 1],
      [0, 2],
    ])
      expect(
        pairEstimates(sizes, residuals)
          .of(pair)
          .every((x) => x >= 0),
      ).toBe(true);
  });
});
