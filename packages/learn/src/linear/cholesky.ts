import { doubleAt, elementAt } from "@lethe/core/numeric";
import { at, type Matrix } from "./matrix.ts";

/** A row depends on those before it where less than this share of its diagonal entry is left. */
const dependent = 1e-9;

/**
 * Factors a positive semidefinite matrix as L·Lᵀ and returns b ↦ x with M·x = b. Rows that depend on earlier ones are left out, their xᵢ = 0:
 * where b depends in the same way, M·x = b holds all the same. Never fails.
 * Source: Golub & Van Loan 2013, Sec. 4.2.
 */
export function semidefiniteSolver(matrix: Matrix): (b: Float64Array) => Float64Array {
  const n = matrix.length;
  const lower = matrix.map(() => new Float64Array(n));
  for (let i = 0; i < n; i += 1) {
    const row = elementAt(lower, i);
    for (let j = 0; j <= i; j += 1) {
      const other = elementAt(lower, j);
      let rest = at(matrix, i, j);
      for (let k = 0; k < j; k += 1) rest -= doubleAt(row, k) * doubleAt(other, k);
      if (j < i) row[j] = doubleAt(other, j) > 0 ? rest / doubleAt(other, j) : 0;
      else row[i] = rest > dependent * at(matrix, i, i) ? Math.sqrt(rest) : 0;
    }
  }
  return (b) => backward(lower, forward(lower, b));
}

function forward(lower: Matrix, b: Float64Array): Float64Array {
  const y = new Float64Array(b.length);
  for (let i = 0; i < b.length; i += 1) {
    const pivot = at(lower, i, i);
    let rest = doubleAt(b, i);
    for (let k = 0; k < i; k += 1) rest -= at(lower, i, k) * doubleAt(y, k);
    y[i] = pivot > 0 ? rest / pivot : 0;
  }
  return y;
}

function backward(lower: Matrix, y: Float64Array): Float64Array {
  const x = new Float64Array(y.length);
  for (let i = y.length - 1; i >= 0; i -= 1) {
    const pivot = at(lower, i, i);
    let rest = doubleAt(y, i);
    for (let k = i + 1; k < y.length; k += 1) rest -= at(lower, k, i) * doubleAt(x, k);
    x[i] = pivot > 0 ? rest / pivot : 0;
  }
  return x;
}
