import { describe, expect, it } from "vitest";
import { CellTally, mostBins } from "./cell-tally.ts";

describe("a tally of cells", () => {
  const sum = (masses: Float64Array): number => masses.reduce((total, mass) => total + mass, 0);

  it("grows to where masses come, either way, and loses none", () => {
    const tally = new CellTally(1e-3, 0, 0, -0.01, 0.01);
    for (const loss of [0.005, -3, 7, 0]) tally.add(tally.cell(loss), 0.25, 0.125);
    expect([sum(tally.p), sum(tally.q), tally.pBeyond, tally.qBeyond]).toEqual([1, 0.5, 0, 0]);
    expect(tally.p[tally.cell(7) - 2 * tally.firstPoint]).toBe(0.25);
  });

  it("counts as ±∞ what a grid does not hold, instead of filling the memory", () => {
    const tally = new CellTally(1e-9, 0, 0, -1e-6, 1e-6);
    for (const loss of [5e-7, 500, -500, 1e4]) tally.add(tally.cell(loss), 0.25, 0.125);
    expect(tally.bins).toBeLessThanOrEqual(2 * mostBins);
    expect([sum(tally.p), tally.pBeyond, sum(tally.q), tally.qBeyond]).toEqual([0.25, 0.75, 0.125, 0.375]);
  });
});
