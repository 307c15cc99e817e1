import { elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boostingSensitivities } from "../plan/boosting-event.ts";
import { clippedUnitSums } from "./unit-sums.ts";

const top = 2 ** 20;
const cells = 3;

type UnitRow = readonly [cell: number, amount: number];

/** All units of up to `most` rows, over some amounts and all cells. */
function units(amounts: readonly number[], most: number): readonly (readonly UnitRow[])[] {
  const rows = amounts.flatMap((amount) =>
    Array.from({ length: cells }, (_, cell): UnitRow => [cell, amount]),
  );
  let found: (readonly UnitRow[])[] = [[]];
  let last = found;
  for (let size = 0; size < most; size++) {
    last = last.flatMap((unit) => rows.map((row) => [...unit, row]));
    found = [...found, ...last];
  }
  return found;
}

function sumsOf(all: readonly (readonly UnitRow[])[], clip: number): Float64Array {
  const rows = all.flat();
  const offsets = [0];
  for (const unit of all) offsets.push(elementAt(offsets, offsets.length - 1) + unit.length);
  const amounts = Float64Array.from(rows, ([, amount]) => amount);
  return clippedUnitSums({ cells: rows.map(([cell]) => cell), amounts, offsets }, clip, cells);
}

const squared = (vector: Float64Array): bigint =>
  Array.from(vector, (x) => BigInt(x) ** 2n).reduce((a, b) => a + b, 0n);

/** The largest squared distance between neighbours: a unit and none, or two units, by brute force. */
function largestMoves(amounts: readonly number[], most: number, clip: number) {
  const vectors = new Map(
    units(amounts, most).map((unit) => {
      const vector = sumsOf([unit], clip);
      return [vector.join(), vector] as const;
    }),
  );
  const all = [...vectors.values()];
  const largest = (list: readonly bigint[]): bigint => list.reduce((a, b) => (a > b ? a : b), 0n);
  const between = all.flatMap((a) => all.map((b) => squared(a.map((x, at) => x - elementAt(b, at)))));
  return { added: largest(all.map(squared)), replaced: largest(between) };
}

describe("over all units of up to three rows", () => {
  const added = boostingSensitivities("add-or-remove-one", 1);
  const replaced = boostingSensitivities("replace-one", 1);

  it.each([0.5, 1, 2])("residuals of clip %d move a step by what is priced, and some reach it", (clip) => {
    const moves = largestMoves([-1, -0.3, 0.9], 3, clip);
    expect(moves.added).toBe(added.step.l2Squared);
    expect(moves.replaced).toBe(replaced.step.l2Squared);
  });

  it.each([1, 2])("counts of clip %d too, by √2 where a unit is replaced, since none is negative", (clip) => {
    const moves = largestMoves([0, 1], 3, clip);
    expect(moves.added).toBe(added.counts.l2Squared);
    expect(moves.replaced).toBe(replaced.counts.l2Squared);
  });

  it("priced as rows that are clipped one by one, three rows would move three times as far", () => {
    const unit = [0, 0, 0].map((cell) => [cell, 1] as const);
    const asUnits = sumsOf(
      unit.map((row) => [row]),
      1,
    );
    expect(squared(asUnits)).toBe(9n * added.step.l2Squared);
  });

  it("several columns add up: their counts are one release", () => {
    expect(boostingSensitivities("add-or-remove-one", 3).counts.l2Squared).toBe(3n * added.counts.l2Squared);
    expect(boostingSensitivities("replace-one", 3).counts.l2Squared).toBe(3n * replaced.counts.l2Squared);
    expect(boostingSensitivities("replace-one", 3).step).toEqual(replaced.step);
  });
});

const amount = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e308, 0.6, 0.8, -1, Number.MIN_VALUE),
);
const unit = fc.array(fc.tuple(fc.nat(cells - 1), amount), { maxLength: 6 });

describe("whatever the amounts", () => {
  it("no unit's vector passes the clip, and it is whole", () => {
    fc.assert(
      fc.property(unit, fc.constantFrom(1e-300, 0.1, 1, 3, 1e300), (rows, clip) => {
        const vector = sumsOf([rows], clip);
        for (const x of vector) expect(Number.isInteger(x)).toBe(true);
        expect(squared(vector) <= BigInt(top) ** 2n).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("units add up, in any order", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 5 }), (all) => {
        const total = new Float64Array(cells);
        for (const one of all)
          for (const [cell, x] of sumsOf([one], 1).entries()) total[cell] = elementAt(total, cell) + x;
        expect(sumsOf(all, 1)).toEqual(total);
        expect(sumsOf(all.toReversed(), 1)).toEqual(total);
      }),
    );
  });

  it("a row that is a unit alone is clipped and cut without another rounding", () => {
    fc.assert(
      fc.property(unit, (rows) => {
        const sums = sumsOf(
          rows.map((row) => [row]),
          1,
        );
        const exact = [0, 0, 0];
        for (const [cell, x] of rows)
          exact[cell] = elementAt(exact, cell) + Math.trunc(top * (Math.max(-1, Math.min(1, x)) || 0));
        expect([...sums].map((x) => x + 0)).toEqual(exact.map((x) => x + 0));
      }),
    );
  });

  it("what a unit adds does not depend on how many rows the others have", () => {
    fc.assert(
      fc.property(unit, unit, (one, other) => {
        const difference = sumsOf([one, other], 1).map((x, cell) => x - elementAt(sumsOf([other], 1), cell));
        expect(difference.map((x) => x + 0)).toEqual(sumsOf([one], 1).map((x) => x + 0));
      }),
    );
  });
});

it("a vector in the clip stays as it is, cut to the grid; a longer one keeps its direction", () => {
  expect([
    ...sumsOf(
      [
        [
          [0, 0.25],
          [0, 0.25],
          [2, -0.5],
        ],
      ],
      1,
    ),
  ]).toEqual([top / 2, 0, -top / 2]);
  expect([
    ...sumsOf(
      [
        [
          [0, 3],
          [1, 4],
        ],
      ],
      1,
    ),
  ]).toEqual([Math.trunc(0.6 * top), Math.trunc(0.8 * top), 0]);
});
