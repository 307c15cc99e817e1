import { doubleAt, intAt } from "@lethe/core/numeric";

/** A coarser attribute: the value of each code of the domain. What `cells` says is public. */
export interface MergedValues {
  /** Code ↦ merged code from 0 to size − 1. */
  readonly places: Int32Array;
  readonly size: number;
}

/** Returns the attribute as it is. */
export function unmerged(size: number): MergedValues {
  return { places: Int32Array.from({ length: size }, (_, at) => at), size };
}

/**
 * Merges the values whose noisy count is below the threshold into one, the last: such counts tell little but the noise. A single one stays. From noisy
 * counts alone, so it costs nothing.
 * Source: McKenna, Miklau & Sheldon 2021 (arXiv 2108.04978), Sec. 4.2, with 3σ.
 * @example mergeRare(Float64Array.of(90, 2, 50, -1), 30).places // => Int32Array [0, 2, 1, 2]
 */
export function mergeRare(counts: Float64Array, threshold: number): MergedValues {
  const rare = counts.reduce((n, count) => n + (count < threshold ? 1 : 0), 0);
  if (rare < 2) return unmerged(counts.length);
  let next = 0;
  const kept = counts.length - rare;
  const places = Int32Array.from(counts, (count) => (count < threshold ? kept : next++));
  return { places, size: kept + 1 };
}

/** Returns the counts of merged values from those of the domain. Variances add up too, so that they are merged alike. */
export function mergeCounts(counts: Float64Array, { places, size }: MergedValues): Float64Array {
  const merged = new Float64Array(size);
  for (let code = 0; code < counts.length; code++) {
    const place = intAt(places, code);
    merged[place] = doubleAt(merged, place) + doubleAt(counts, code);
  }
  return merged;
}

/** Returns the codes that share each merged value. */
export function membersOf({ places, size }: MergedValues): readonly (readonly number[])[] {
  const members: number[][] = Array.from({ length: size }, () => []);
  for (const [code, place] of places.entries()) members[place]?.push(code);
  return members;
}
