import type { HalfBins } from "./cell-tally.ts";

export interface MergeInput extends HalfBins {
  readonly lossOf: (point: number) => number;
  readonly pitch: number;
  /** How far apart losses may be that are merged. */
  readonly reach: number;
  /** How far off a grid point still is on it. */
  readonly snap: number;
}

/** A mean lowered by t costs as much ε as a variance lowered by t·reach; merging costs about pitch²/12. */
function closeEnough({ pitch, reach }: MergeInput): number {
  return (pitch * pitch) / (12 * reach);
}

/**
 * Masses on a grid that lose no more than the given half bins do. Each half bin stands as one atom of e^{−L} = Q/P, and runs of atoms
 * are merged so that their mean of e^{−L} is exactly that of a grid point, the last atom of a run split. Where a run would reach too
 * far, its masses go down to the grid point below instead. Both only lower every δ (pld.proof.md, "The lower end").
 */
export function mergeToCentroids(input: MergeInput): Float64Array {
  const { p, q, points, lossOf, pitch, reach, snap } = input;
  const mass = new Float64Array(p.length / 2 + 2);
  mass.set(points);
  const factor = Math.exp(pitch);
  const close = closeEnough(input);
  const farthest = Math.max(1, Math.floor(reach / pitch));
  let [point, gamma, held, excess, runEnd] = [0, 0, 0, 0, 0];
  for (let k = 0; k < p.length; k++) {
    let restP = p[k]!;
    let restQ = q[k]!;
    if (!(restP > 0)) continue;
    const bin = k >> 1;
    const atFloor = Math.exp(lossOf(bin));
    const overFloor = restP - atFloor * restQ;
    // On a grid point, or so little above that going down costs less than merging.
    if (Math.abs(overFloor) <= snap * restP || (overFloor > 0 && overFloor <= close * restP)) {
      mass[bin]! += restP;
      continue;
    }
    while (restP > 0) {
      if (held === 0) {
        point = overFloor > 0 ? bin + 1 : bin;
        gamma = overFloor > 0 ? atFloor * factor : atFloor;
        excess = restP - gamma * restQ;
        held = restP;
        restP = 0;
        if (excess >= -snap * held) {
          mass[point]! += held;
          held = 0;
        } else runEnd = point + farthest;
        continue;
      }
      const gain = restP - gamma * restQ;
      if (gain <= 0 || (bin <= runEnd && excess + gain <= 0)) {
        held += restP;
        excess += gain;
        restP = 0;
      } else if (bin > runEnd) {
        mass[point - 1]! += held;
        held = 0;
      } else {
        const share = -excess / gain;
        mass[point]! += held + share * restP;
        held = 0;
        restP = share < 1 ? restP * (1 - share) : 0;
        restQ *= 1 - share;
      }
    }
  }
  if (held > 0) mass[Math.max(0, point - 1)]! += held;
  return mass;
}
