import { noiseQuantile } from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";
import { describe, expect, it } from "vitest";
import { chooseBounds } from "../../plan/learned-bounds/choose-bounds.ts";
import { boundEnds, cellAmong, cellInterval, cellTests } from "./bound-cells.ts";

const number = (bounds: readonly [number, number] | null, integer = true) =>
  ({ type: "number", bounds, integer, nullable: false, values: null }) as const;

describe("the ends among which bounds are learned", () => {
  it("are powers of two from 2^-30, of integers from 1, to 2^50, within the domain", () => {
    expect(boundEnds(number([-3, 5]))).toEqual([-3, -2, -1, 0, 1, 2, 4, 5]);
    expect(boundEnds(number([4, 16]))).toEqual([4, 8, 16]);
    expect(boundEnds(number([-1, 1]))).toEqual([-1, 0, 1]);
    const fractions = boundEnds(number([0, 1], false))!;
    expect([fractions.length, fractions[1], fractions.at(-2)]).toEqual([32, 2 ** -30, 0.5]);
    expect(boundEnds(number([0, 2 ** 60]))!.at(-1)).toBe(2 ** 50);
    expect(boundEnds(number([-(2 ** 60), 0]))![0]).toBe(-(2 ** 50));
    expect(boundEnds(number([2 ** 50, 2 ** 60]))).toBeNull();
    expect(boundEnds(number([7, 7]))).toBeNull();
    expect(boundEnds(number([7, 8]))).toEqual([7, 8]);
  });
});

describe("the cells between them", () => {
  const ends = [-4, -2, 0, 1, 2, 4];

  it("begin at ends below 0, and behind ends above it; 0 is a cell of its own", () => {
    expect(cellTests(ends)).toEqual([
      { end: -4, beyond: false },
      { end: -2, beyond: false },
      { end: 0, beyond: false },
      { end: 0, beyond: true },
      { end: 1, beyond: true },
      { end: 2, beyond: true },
      { end: 4, beyond: true },
    ]);
    expect([-5, -4, -3, -2, -0.1, 0, 0.1, 1, 1.5, 2, 4, 5].map((x) => cellAmong(x, ...ends))).toEqual([
      0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7,
    ]);
  });

  it("hold what lies between two ends, and beyond all ends a point", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((cell) => cellInterval(cell, ends))).toEqual([
      [-4, -4],
      [-4, -2],
      [-2, 0],
      [0, 0],
      [0, 1],
      [1, 2],
      [2, 4],
      [4, 4],
    ]);
  });
});

describe("the bounds that are chosen", () => {
  const ends = [0, 1, 2, 4, 8, 16, 32];
  const cells = cellTests(ends).length + 1;
  const noise: Noise = { mechanism: "discrete-laplace@1", scale: "10" };
  const strict = Number(noiseQuantile(noise, 1 - 1e-6 / cells));
  const loose = Number(noiseQuantile(noise, 0.9));
  const chosen = (counts: Readonly<Record<number, number>>) =>
    chooseBounds(
      ends,
      Array.from({ length: cells }, (_, at) => counts[at] ?? 0),
      noise,
    );

  /* Cell 2 lies up to 1, cell 3 to 2, cell 4 to 4, cell 5 to 8, cell 6 to 16, cell 7 to 32. */
  it("reach a cell by itself where its count is more than all empty cells give once in a million", () => {
    expect(chosen({ 3: 9999, 6: strict })).toEqual([1, 2]);
    expect(chosen({ 3: 9999, 6: strict + 1 })).toEqual([1, 16]);
    // For Laplace noise of scale b that is about b·ln of a million cells.
    expect(strict / (10 * Math.log(cells * 1e6))).toBeCloseTo(1, 1);
  });

  it("reach a cell beside one that is in where an empty cell gives as much once in twenty", () => {
    expect(chosen({ 4: 9999, 5: loose })).toEqual([2, 4]);
    expect(chosen({ 4: 9999, 5: loose + 1 })).toEqual([2, 8]);
    expect(chosen({ 4: 9999, 3: loose })).toEqual([2, 4]);
    expect(chosen({ 4: 9999, 3: loose + 1, 2: loose + 1 })).toEqual([0, 4]);
    expect(chosen({ 4: 9999, 6: loose + 1 })).toEqual([2, 4]);
    // Two-sided once in ten is once in twenty on one side: b·ln 10.
    expect(loose / (10 * Math.log(10))).toBeCloseTo(1, 1);
  });

  it("reach the cell of the largest count, the first of equals, whatever it is", () => {
    expect(chosen({ 5: 3, 6: 3 })).toEqual([4, 8]);
    expect(chosen({ 0: -5, 1: -5, 2: -5, 3: -4, 4: -5, 5: -5, 6: -5, 7: -5, 8: -5 })).toEqual([1, 2]);
  });
});
