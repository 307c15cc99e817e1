type Matrix = readonly (readonly number[])[];

/** The x in [0, 1]ⁿ for which Σ (Ax − b)² is least. `design` is m × n, `answers` has m numbers. */
export function leastSquares(design: Matrix, answers: readonly number[]): readonly number[] {
  return splitting(design, answers, (gap, step) => gap / (1 + step));
}

/**
 * The x in [0, 1]ⁿ for which Σ |Ax − b| is least: the linear program of LP decoding, which wild errors of some answers do not move.
 * Source: Dwork, McSherry & Talwar 2007.
 */
export function leastAbsolute(design: Matrix, answers: readonly number[]): readonly number[] {
  return splitting(design, answers, (gap, step) => Math.sign(gap) * Math.max(0, Math.abs(gap) - step));
}

const rounds = 300;

/**
 * Alternating directions (Boyd et al. 2011, §6.1): residuals z = Ax − b and the box's copy w = x take turns with x.
 * `shrink` is the proximal step of the residuals' cost.
 */
function splitting(
  design: Matrix,
  answers: readonly number[],
  shrink: (gap: number, step: number) => number,
): readonly number[] {
  const n = design[0]?.length ?? 0;
  const solve = solver(
    Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_, j) =>
        design.reduce((sum, row) => sum + row[i]! * row[j]!, Number(i === j)),
      ),
    ),
  );
  let z = answers.map(() => 0);
  let u = answers.map(() => 0);
  let w = new Array<number>(n).fill(0.5);
  let v = new Array<number>(n).fill(0);
  for (let round = 0; round < rounds; round += 1) {
    const aims = z.map((each, at) => each + answers[at]! - u[at]!);
    const right = w.map(
      (each, i) => each - v[i]! + design.reduce((sum, row, at) => sum + row[i]! * aims[at]!, 0),
    );
    const x = solve(right);
    const gaps = design.map((row, at) => row.reduce((sum, cell, i) => sum + cell * x[i]!, 0) - answers[at]!);
    z = gaps.map((gap, at) => shrink(gap + u[at]!, 1));
    u = gaps.map((gap, at) => u[at]! + gap - z[at]!);
    w = x.map((each, i) => Math.min(1, Math.max(0, each + v[i]!)));
    v = x.map((each, i) => v[i]! + each - w[i]!);
  }
  return w;
}

/** Solves Mx = b for a positive definite M by its Cholesky factor, which is made once. */
function solver(matrix: Matrix): (right: readonly number[]) => readonly number[] {
  const n = matrix.length;
  const factor = matrix.map(() => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let rest = matrix[i]![j]!;
      for (let k = 0; k < j; k += 1) rest -= factor[i]![k]! * factor[j]![k]!;
      factor[i]![j] = i === j ? Math.sqrt(rest) : rest / factor[j]![j]!;
    }
  }
  return (right) => {
    const x = [...right];
    for (let i = 0; i < n; i += 1) {
      for (let k = 0; k < i; k += 1) x[i] = x[i]! - factor[i]![k]! * x[k]!;
      x[i] = x[i]! / factor[i]![i]!;
    }
    for (let i = n - 1; i >= 0; i -= 1) {
      for (let k = i + 1; k < n; k += 1) x[i] = x[i]! - factor[k]![i]! * x[k]!;
      x[i] = x[i]! / factor[i]![i]!;
    }
    return x;
  };
}
