import { contrastSquares, contrasts } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../graph/index.ts";
import { addUp, cellMap, type Measurement, measured } from "../inference/index.ts";
import { reconstruction } from "./reconstruct.ts";
import { takeMeans } from "./take-means.ts";

function normal(bits: SeededSource): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += bits.word() / 2 ** 32;
  return sum;
}

/** Solves a·x = b for a symmetric positive definite matrix, by Gauss' elimination. */
function solved(a: readonly (readonly number[])[], b: readonly number[]): readonly number[] {
  const rows = a.map((row, at) => [...row, elementAt(b, at)]);
  for (const [at, pivot] of rows.entries()) {
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = elementAt(row, at) / elementAt(pivot, at);
      for (const [k, x] of pivot.entries()) row[k] = elementAt(row, k) - factor * x;
    }
  }
  return rows.map((row, at) => elementAt(row, rows.length) / elementAt(row, at));
}

const cases = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }).chain((sizes) =>
  fc.record({
    sizes: fc.constant(sizes),
    sets: fc.array(
      fc.uniqueArray(fc.nat(sizes.length - 1), { minLength: 1 }).map((set) => set.sort((a, b) => a - b)),
      { minLength: 1, maxLength: 4 },
    ),
    seed: fc.nat(),
  }),
);

describe("a reconstructed table", () => {
  it("is the generalized least-squares estimate of all noisy tables and residuals together", () => {
    fc.assert(
      fc.property(cases, ({ sizes, sets, seed }) => {
        const bits = new SeededSource(seed);
        const all = [...sizes.keys()];
        const cells = cellsOf(sizes, all);
        // All cells of the joint enter by one nearly worthless table, so that the equations have a solution.
        const faint = 1e7;
        const noisy = [
          measured(all, new Float64Array(cells), faint),
          ...sets.map((set) =>
            measured(
              set,
              new Float64Array(cellsOf(sizes, set)).map(() => 50 * normal(bits)),
              1 + (bits.word() % 9),
            ),
          ),
        ];
        const normalMatrix = Array.from({ length: cells }, () => new Array<number>(cells).fill(0));
        const right = new Array<number>(cells).fill(0);
        for (const { attributes, values, variances } of noisy) {
          const map = cellMap(sizes, all, attributes);
          for (const [i, place] of map.entries()) {
            const variance = elementAt(variances, place);
            right[i] = elementAt(right, i) + elementAt(values, place) / variance;
            for (const [j, other] of map.entries()) {
              const row = elementAt(normalMatrix, i);
              if (other === place) row[j] = elementAt(row, j) + 1 / variance;
            }
          }
        }
        // A residual enters by its contrasts, each a sum of cells with integer coefficients, noisy by the variance times their squares.
        const residuals = sets
          .filter((set) => set.every((at) => elementAt(sizes, at) > 1) && bits.word() % 2 === 0)
          .map((attributes) => {
            const shape = attributes.map((at) => elementAt(sizes, at));
            const values = Float64Array.from(contrastSquares(shape), () => 50 * normal(bits));
            return { attributes, values, variance: 1 + (bits.word() % 9), shape };
          });
        for (const { attributes, values, variance, shape } of residuals) {
          const map = cellMap(sizes, all, attributes);
          const squares = contrastSquares(shape);
          const columns = Array.from({ length: cellsOf(sizes, attributes) }, (_, cell) =>
            contrasts(
              shape,
              Float64Array.from({ length: cellsOf(sizes, attributes) }, (__, other) =>
                Number(other === cell),
              ),
            ),
          );
          for (const [at, square] of squares.entries()) {
            for (const [i, place] of map.entries()) {
              const own = elementAt(elementAt(columns, place), at) / (square * variance);
              right[i] = elementAt(right, i) + own * elementAt(values, at);
              const row = elementAt(normalMatrix, i);
              for (const [j, other] of map.entries())
                row[j] = elementAt(row, j) + own * elementAt(elementAt(columns, other), at);
            }
          }
        }
        const joint = Float64Array.from(solved(normalMatrix, right));
        const table = reconstruction(sizes, noisy, residuals);
        for (const asked of [[], ...sets, all]) {
          const { values, complete } = table(asked);
          const expected = addUp(joint, cellMap(sizes, all, asked), cellsOf(sizes, asked));
          for (const [cell, value] of values.entries())
            expect(value).toBeCloseTo(elementAt(expected, cell), 3);
          expect(complete).toBe(true);
        }
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  it("of exact tables is exact, and tells where a part was never measured", () => {
    const sizes = [2, 3, 2];
    const joint = Float64Array.from({ length: 12 }, (_, cell) => (cell * 7) % 11);
    const exact = (attributes: readonly number[]): Measurement =>
      measured(
        attributes,
        addUp(joint, cellMap(sizes, [0, 1, 2], attributes), cellsOf(sizes, attributes)),
        4,
      );
    const table = reconstruction(sizes, [exact([0, 1]), exact([1, 2]), exact([2])]);
    for (const asked of [[0, 1], [1, 2], [0], [2], []]) {
      const { values, complete } = table(asked);
      for (const [cell, value] of values.entries())
        expect(value).toBeCloseTo(elementAt(exact(asked).values, cell), 9);
      expect(complete).toBe(true);
    }
    const { values, complete } = table([0, 2]);
    expect(complete).toBe(false);
    // Without the part of both, the rest still agrees with the tables of each.
    expect(elementAt(values, 0) + elementAt(values, 1)).toBeCloseTo(elementAt(exact([0]).values, 0), 9);
    expect(reconstruction(sizes, [])([0])).toMatchObject({ complete: false, values: Float64Array.of(0, 0) });
  });

  // 8,000 runs: a variance has a deviation of √(2/8,000) = 1.6 %, and 6 of them are 9.5 %, false alarm 2e-9 each. Forgetting to divide by the values that were
  // added up would change it by a factor of 2 and more.
  it("has the variance that it states", () => {
    const sizes = [2, 3];
    const bits = new SeededSource(21);
    const sums = new Map<string, number>();
    const runs = 8000;
    const stated = new Map<string, number>();
    for (let run = 0; run < runs; run++) {
      const table = reconstruction(sizes, [
        measured(
          [0, 1],
          new Float64Array(6).map(() => 3 * normal(bits)),
          9,
        ),
        measured(
          [1],
          new Float64Array(3).map(() => 2 * normal(bits)),
          4,
        ),
      ]);
      for (const asked of [[0, 1], [0], [1], []]) {
        const { values, variances } = table(asked);
        const key = asked.join(" ");
        sums.set(key, (sums.get(key) ?? 0) + elementAt(values, 0) ** 2 / runs);
        stated.set(key, elementAt(variances, 0));
      }
    }
    for (const [key, variance] of stated)
      expect(Math.abs((sums.get(key) ?? 0) / variance - 1)).toBeLessThan(0.095);
    // One noisy table alone keeps its own variance.
    expect(
      reconstruction(sizes, [measured([0, 1], new Float64Array(6), 9)])([0, 1]).variances[0],
    ).toBeCloseTo(9, 12);
  });

  it("is made of tables without means", () => {
    const residual = takeMeans([2, 3], Float64Array.of(1, 2, 3, 4, 5, 9));
    for (const map of [
      [0, 0, 0, 1, 1, 1],
      [0, 1, 2, 0, 1, 2],
    ]) {
      for (const sum of addUp(residual, Int32Array.from(map), 3)) expect(sum).toBeCloseTo(0, 12);
    }
    expect([...takeMeans([], Float64Array.of(7))]).toEqual([7]);
  });
});
