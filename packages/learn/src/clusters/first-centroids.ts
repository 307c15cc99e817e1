/**
 * Returns k points spread over [−1, 1]^d, the same for every data set: the additive recurrence frac(½ + j·α) with αᵢ = φ^−i, where φ is the root
 * above 1 of φ^(d+1) = φ + 1. Any k of them have low discrepancy.
 * Source: Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"; for d = 1 the golden ratio.
 * @example firstCentroids(2, 1) // => [[0.236…], [-0.527…]]
 */
export function firstCentroids(clusters: number, dimension: number): readonly (readonly number[])[] {
  const root = recurrenceRoot(dimension);
  const steps = Array.from({ length: dimension }, (_, i) => root ** -(i + 1));
  return Array.from({ length: clusters }, (_, j) =>
    steps.map((step) => 2 * ((0.5 + (j + 1) * step) % 1) - 1),
  );
}

/** The fixed point of x ↦ (1 + x)^(1/(d+1)), a contraction on [1, 2]. */
function recurrenceRoot(dimension: number): number {
  let root = 2;
  for (let turn = 0; turn < 64; turn++) root = (1 + root) ** (1 / (dimension + 1));
  return root;
}
