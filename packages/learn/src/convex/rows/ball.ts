import { doubleAt } from "@lethe/core/numeric";

/** Moves a vector to the nearest point of the ℓ2 ball about 0, in place. */
export function intoBall(vector: Float64Array, radius: number): void {
  // The largest coordinate first, so that squares do not overflow.
  let largest = 0;
  for (let j = 0; j < vector.length; j += 1) largest = Math.max(largest, Math.abs(doubleAt(vector, j)));
  if (largest === 0) return;
  let square = 0;
  for (let j = 0; j < vector.length; j += 1) square += (doubleAt(vector, j) / largest) ** 2;
  const length = largest * Math.sqrt(square);
  if (length <= radius) return;
  const factor = radius / largest / Math.sqrt(square);
  for (let j = 0; j < vector.length; j += 1) vector[j] = doubleAt(vector, j) * factor;
}
