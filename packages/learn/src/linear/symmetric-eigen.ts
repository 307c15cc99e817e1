import { addAt, doubleAt, elementAt } from "@lethe/core/numeric";
import { at, type Matrix, matrixOf } from "./matrix.ts";

export interface Eigen {
  /** Falling. */
  readonly values: Float64Array;
  /** vectors[k] belongs to values[k]; orthonormal. */
  readonly vectors: Matrix;
}

const mostSweeps = 60;

/**
 * The eigenvalues and eigenvectors of a symmetric matrix, by cyclic Jacobi rotations. It ends after 60 sweeps whatever the matrix; sizes in use need ten.
 * Source: Golub & Van Loan 2013, Alg. 8.5.3.
 */
export function symmetricEigen(matrix: Matrix): Eigen {
  const n = matrix.length;
  const a = matrixOf(n, n, (i, j) => (at(matrix, i, j) + at(matrix, j, i)) / 2);
  const v = matrixOf(n, n, (i, j) => (i === j ? 1 : 0));
  for (let sweep = 0; sweep < mostSweeps && offDiagonal(a) > 0; sweep += 1) {
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) rotate(a, v, p, q);
  }
  const order = [...a.keys()].sort((i, j) => at(a, j, j) - at(a, i, i));
  return {
    values: Float64Array.from(order, (i) => at(a, i, i)),
    vectors: order.map((column) => Float64Array.from(v, (row) => doubleAt(row, column))),
  };
}

/** Sets a[p][q] to 0 by a rotation of rows and columns p and q; entries that cannot be seen beside the diagonal are dropped. */
function rotate(a: Matrix, v: Matrix, p: number, q: number): void {
  const [app, aqq, apq] = [at(a, p, p), at(a, q, q), at(a, p, q)];
  if (apq === 0) return;
  if (Math.abs(apq) < 1e-18 * Math.sqrt(Math.abs(app * aqq)) || Math.abs(apq) < 1e-300) {
    set(a, p, q, 0);
    set(a, q, p, 0);
    return;
  }
  const theta = (aqq - app) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(1, theta));
  const c = 1 / Math.hypot(1, t);
  const s = t * c;
  for (let k = 0; k < a.length; k += 1) {
    if (k === p || k === q) continue;
    const [kp, kq] = [at(a, k, p), at(a, k, q)];
    for (const [i, j, x] of [
      [k, p, c * kp - s * kq],
      [k, q, s * kp + c * kq],
    ] as const) {
      set(a, i, j, x);
      set(a, j, i, x);
    }
  }
  addAt(elementAt(a, p), p, -t * apq);
  addAt(elementAt(a, q), q, t * apq);
  set(a, p, q, 0);
  set(a, q, p, 0);
  for (const row of v) {
    const [x, y] = [doubleAt(row, p), doubleAt(row, q)];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
}

function set(a: Matrix, i: number, j: number, value: number): void {
  elementAt(a, i)[j] = value;
}

function offDiagonal(a: Matrix): number {
  return a.reduce(
    (total, row, i) => row.reduce((sum, x, j) => (i === j ? sum : sum + Math.abs(x)), total),
    0,
  );
}
