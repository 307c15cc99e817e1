import { doubleAt, elementAt } from "@lethe/core/numeric";

/** Rows of doubles, all of one length. */
export type Matrix = readonly Float64Array[];

/** Makes a matrix of its entries. @example matrixOf(2, 2, (i, j) => (i === j ? 1 : 0)) */
export function matrixOf(rows: number, columns: number, entry: (i: number, j: number) => number): Matrix {
  return Array.from({ length: rows }, (_, i) =>
    Float64Array.from({ length: columns }, (_none, j) => entry(i, j)),
  );
}

/** Returns one entry. Errors: internal.invariant outside of the matrix. */
export function at(matrix: Matrix, i: number, j: number): number {
  return doubleAt(elementAt(matrix, i), j);
}

export function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += doubleAt(a, i) * doubleAt(b, i);
  return total;
}

/** M·v */
export function times(matrix: Matrix, vector: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => dot(row, vector));
}

/** Mᵀ·v = Σ vᵢ·rowᵢ */
export function transposedTimes(matrix: Matrix, vector: Float64Array): Float64Array {
  const [first] = matrix;
  return Float64Array.from({ length: first?.length ?? 0 }, (_, j) =>
    matrix.reduce((total, row, i) => total + doubleAt(row, j) * doubleAt(vector, i), 0),
  );
}

/** D·M·Dᵀ of a symmetric M, exactly symmetric. */
export function sandwich(outer: Matrix, inner: Matrix): Matrix {
  const half = outer.map((row) => times(inner, row));
  return matrixOf(outer.length, outer.length, (i, j) =>
    dot(elementAt(outer, Math.min(i, j)), elementAt(half, Math.max(i, j))),
  );
}
