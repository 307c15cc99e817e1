import { doubleAt, elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { expect, it } from "vitest";
import { semidefiniteSolver } from "./cholesky.ts";
import { at, dot, matrixOf, sandwich, times } from "./matrix.ts";
import { symmetricEigen } from "./symmetric-eigen.ts";

const size = fc.integer({ min: 1, max: 7 });
const entries = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 49, maxLength: 49 });
const symmetric = (n: number, from: readonly number[]) =>
  matrixOf(n, n, (i, j) => elementAt(from, Math.min(i, j) * 7 + Math.max(i, j)));

it("eigenvectors are orthonormal, and give the matrix back", () => {
  fc.assert(
    fc.property(size, entries, (n, from) => {
      const matrix = symmetric(n, from);
      const { values, vectors } = symmetricEigen(matrix);
      for (let i = 0; i < n; i += 1)
        for (let j = 0; j < n; j += 1) {
          expect(dot(elementAt(vectors, i), elementAt(vectors, j))).toBeCloseTo(i === j ? 1 : 0, 10);
          const back = vectors.reduce(
            (sum, _, k) => sum + doubleAt(values, k) * at(vectors, k, i) * at(vectors, k, j),
            0,
          );
          expect(back).toBeCloseTo(at(matrix, i, j), 9);
        }
      expect([...values]).toEqual([...values].sort((a, b) => b - a));
    }),
  );
});

it("a semidefinite system whose right side is in its range is solved, whatever its rank", () => {
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 7 }), entries, (n, rank, from) => {
      // Whole numbers, so that rows depend on each other exactly or not at all.
      const outer = matrixOf(n, rank, (i, j) => Math.round(elementAt(from, i * 7 + j)));
      const matrix = sandwich(
        outer,
        matrixOf(rank, rank, (i, j) => (i === j ? 1 : 0)),
      );
      const b = times(
        matrix,
        Float64Array.from({ length: n }, (_, i) => elementAt(from, i)),
      );
      const back = times(matrix, semidefiniteSolver(matrix)(b));
      for (const [i, value] of back.entries()) expect(value).toBeCloseTo(doubleAt(b, i), 5);
    }),
  );
});
