import { elementAt } from "@lethe/core/numeric";

/** One cluster is at least as near as another where Σ weights·x ≥ least. */
export interface Side {
  readonly weights: readonly number[];
  readonly least: number;
}

/**
 * Returns, for each cluster but the last, the sides on which it is at least as near as each later one. The first cluster that is on all of its
 * sides is the nearest, the first of several: were an earlier one nearer, the nearest of all would have come before this.
 * ‖x − a‖² ≤ ‖x − b‖² is linear in x: Σ (a − b)·x/s² ≥ Σ (a² − b²)/2s², with distances in units of the scales s.
 */
export function sidesOf(
  centroids: readonly (readonly number[])[],
  scales: readonly number[],
): readonly (readonly Side[])[] {
  return centroids.slice(0, -1).map((one, at) =>
    centroids.slice(at + 1).map((other) => ({
      weights: one.map((a, i) => (a - elementAt(other, i)) / elementAt(scales, i) ** 2),
      least: one.reduce((sum, a, i) => {
        const b = elementAt(other, i);
        return sum + ((a - b) * (a + b)) / (2 * elementAt(scales, i) ** 2);
      }, 0),
    })),
  );
}

/** The place of the nearest centroid: the same as {@link nearestText} computes, in the same order. */
export function nearest(sides: readonly (readonly Side[])[], values: readonly number[]): number {
  const place = sides.findIndex((all) =>
    all.every(
      ({ weights, least }) => weights.reduce((sum, w, i) => sum + w * elementAt(values, i), 0) >= least,
    ),
  );
  return place < 0 ? sides.length : place;
}
