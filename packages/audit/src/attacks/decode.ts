import { elementAt } from "@lethe/core/numeric";
import { paired } from "../paired.ts";

type Vector = readonly number[];
type Matrix = readonly Vector[];

/** The x in [0, 1]ⁿ for which Σ (Ax − b)² is least. `design` is m × n, `answers` has m numbers. */
export function leastSquares(design: Matrix, answers: Vector): Vector {
  return splitting(design, answers, (gap, step) => gap / (1 + step));
}

/**
 * The x in [0, 1]ⁿ for which Σ |Ax − b| is least: the linear program of LP decoding, which wild errors of some answers do not move.
 * Source: Dwork, McSherry & Talwar 2007.
 */
export function leastAbsolute(design: Matrix, answers: Vector): Vector {
  return splitting(design, answers, (gap, step) => Math.sign(gap) * Math.max(0, Math.abs(gap) - step));
}

const rounds = 300;

/**
 * Alternating directions (Boyd et al. 2011, §6.1): residuals z = Ax − b and the box's copy w = x take turns with x; u and v are their
 * scaled duals. `shrink` is the proximal step of the residuals' cost.
 */
function splitting(design: Matrix, answers: Vector, shrink: (gap: number, step: number) => number): Vector {
  const columns = columnsOf(design);
  const solve = solver(
    columns.map((column, i) =>
      Float64Array.from(columns, (other, j) => withProduct(Number(i === j), 1, column, other)),
    ),
  );
  const residuals = paired(design, answers).map(([row, answer]) => ({
    row: Float64Array.from(row),
    answer,
    z: 0,
    u: 0,
  }));
  const box = columns.map((column) => ({ column, w: 0.5, v: 0 }));
  const aims = new Float64Array(residuals.length);
  const right = new Float64Array(box.length);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { z, answer, u }] of residuals.entries()) aims[at] = z + answer - u;
    for (const [at, { column, w, v }] of box.entries()) right[at] = w - v + withProduct(0, 1, column, aims);
    const x = solve(right);
    for (const each of residuals) {
      const gap = withProduct(0, 1, each.row, x) - each.answer;
      each.z = shrink(gap + each.u, 1);
      each.u = each.u + gap - each.z;
    }
    for (const [at, each] of box.entries()) {
      const value = elementAt(x, at);
      each.w = Math.min(1, Math.max(0, value + each.v));
      each.v = each.v + value - each.w;
    }
  }
  return box.map(({ w }) => w);
}

function columnsOf(matrix: Matrix): readonly Float64Array[] {
  const [first = []] = matrix;
  return first.map((_, at) => Float64Array.from(matrix, (row) => elementAt(row, at)));
}

/** Returns `from` ± a·b, product by product from the first. Errors: RangeError where b is shorter than a. */
function withProduct(from: number, sign: 1 | -1, a: Float64Array, b: Float64Array): number {
  let sum = from;
  for (let at = 0; at < a.length; at += 1) {
    const each = a[at];
    const other = b[at];
    if (each === undefined || other === undefined) throw new RangeError("a vector lacks a number");
    sum += sign * each * other;
  }
  return sum;
}

/** Solves Mx = b for a positive definite M by its Cholesky factor, which is made once. */
function solver(matrix: readonly Float64Array[]): (right: Float64Array) => Float64Array {
  const factor = choleskyOf(matrix);
  const turned = factor
    .map(({ diagonal }, at) => ({
      at,
      diagonal,
      below: Float64Array.from(factor.slice(at + 1), ({ left }) => elementAt(left, at)),
    }))
    .reverse();
  return (right) => {
    const x = right.slice();
    for (const [at, { left, diagonal }] of factor.entries()) {
      x[at] = withProduct(elementAt(x, at), -1, left, x) / diagonal;
    }
    for (const { at, below, diagonal } of turned) {
      x[at] = withProduct(elementAt(x, at), -1, below, x.subarray(at + 1)) / diagonal;
    }
    return x;
  };
}

/** One row of a Cholesky factor: what stands left of the diagonal, and the diagonal. */
interface FactorRow {
  readonly left: Float64Array;
  readonly diagonal: number;
}

function choleskyOf(matrix: readonly Float64Array[]): readonly FactorRow[] {
  const factor: FactorRow[] = [];
  for (const [length, row] of matrix.entries()) {
    const left = new Float64Array(length);
    for (const [at, above] of factor.entries()) {
      left[at] = withProduct(elementAt(row, at), -1, above.left, left) / above.diagonal;
    }
    factor.push({ left, diagonal: Math.sqrt(withProduct(elementAt(row, length), -1, left, left)) });
  }
  return factor;
}
