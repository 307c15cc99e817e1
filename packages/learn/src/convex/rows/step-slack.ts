/**
 * How far a step computed in doubles, x ↦ Π(x − η·(mean gradient of a batch) + noise), lies at most from the step in real numbers, whatever the noise:
 *   (d + 64)·2^−49·(r + ηL) + (2^−42 + batch·2^−52)·ηL.
 * Shapes: d coordinates, ball of radius r, L-Lipschitz and β-smooth losses with η ≤ 2/β, at most 2^10 rows a unit.
 * Source: Higham 2002, Sec. 3.1, on sums and inner products; derived in ../one-pass/one-pass.proof.md.
 * Direction: upper.
 * @example stepSlack({ dimension: 10, radius: 1, lipschitz: 1, stepSize: 0.1, batch: 1 }) // => 1.67e-13
 */
export function stepSlack(step: {
  readonly dimension: number;
  readonly radius: number;
  readonly lipschitz: number;
  readonly stepSize: number;
  readonly batch: number;
}): number {
  const { dimension, radius, lipschitz, stepSize, batch } = step;
  const move = stepSize * lipschitz;
  return (dimension + 64) * 2 ** -49 * (radius + move) + (2 ** -42 + batch * 2 ** -52) * move;
}
