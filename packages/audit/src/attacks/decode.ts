import { memberAt } from "../member-at.ts";
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
  const columns = transposed(design);
  const solve = solver(
    columns.map((column, i) => columns.map((other, j) => withProduct(Number(i === j), 1, column, other))),
  );
  const residuals = paired(design, answers).map(([row, answer]) => ({ row, answer, z: 0, u: 0 }));
  const box = columns.map((column) => ({ column, w: 0.5, v: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    const aims = residuals.map(({ z, answer, u }) => z + answer - u);
    const x = solve(box.map(({ column, w, v }) => w - v + withProduct(0, 1, column, aims)));
    for (const each of residuals) {
      const gap = withProduct(0, 1, each.row, x) - each.answer;
      each.z = shrink(gap + each.u, 1);
      each.u = each.u + gap - each.z;
    }
    for (const [each, value] of paired(box, x)) {
      each.w = Math.min(1, Math.max(0, value + each.v));
      each.v = each.v + value - each.w;
    }
  }
  return box.map(({ w }) => w);
}

function transposed(matrix: Matrix): Matrix {
  const [first = []] = matrix;
  return first.map((_, at) => matrix.map((row) => memberAt(row, at)));
}

/** Returns `from` ± a·b, product by product from the first. Errors: RangeError where b is shorter than a. */
function withProduct(from: number, sign: 1 | -1, a: Vector, b: Vector): number {
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
function solver(matrix: Matrix): (right: Vector) => Vector {
  const factor = choleskyOf(matrix);
  const turned = factor.map(({ diagonal }, at) => ({
    diagonal,
    below: factor.slice(at + 1).map(({ left }) => memberAt(left, at)),
  }));
  return (right) => {
    const forward: number[] = [];
    for (const [value, { left, diagonal }] of paired(right, factor)) {
      forward.push(withProduct(value, -1, left, forward) / diagonal);
    }
    const x: number[] = [];
    for (const [value, { below, diagonal }] of paired(forward, turned).reverse()) {
      x.unshift(withProduct(value, -1, below, x) / diagonal);
    }
    return x;
  };
}

/** One row of a Cholesky factor: what stands left of the diagonal, and the diagonal. */
interface FactorRow {
  readonly left: Vector;
  readonly diagonal: number;
}

function choleskyOf(matrix: Matrix): readonly FactorRow[] {
  const factor: FactorRow[] = [];
  for (const row of matrix) {
    const left: number[] = [];
    for (const [at, above] of factor.entries()) {
      left.push(withProduct(memberAt(row, at), -1, above.left, left) / above.diagonal);
    }
    factor.push({ left, diagonal: Math.sqrt(withProduct(memberAt(row, factor.length), -1, left, left)) });
  }
  return factor;
}
