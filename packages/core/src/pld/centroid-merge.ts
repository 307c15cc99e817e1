/**
 * Masses on a grid that lose no more than the given half bins do. Half bins come as P and Q in increasing loss; each stands as one
 * atom of e^{−L} = Q/P, and runs of atoms are merged so that their mean of e^{−L} is exactly that of a grid point, the last
 * atom of a run split. Where a run would reach further than `reach`, its masses go down to the grid point below instead. Both
 * only lower every δ (pld.proof.md, "The lower end"). `mass` gets the result: its index i is half bins 2i and 2i + 1's left edge.
 */
export function mergeToCentroids(
  p: Float64Array,
  q: Float64Array,
  lossOf: (point: number) => number,
  pitch: number,
  reach: number,
  snap: number,
  mass: Float64Array,
): void {
  let point = -1;
  let gamma = 0;
  let held = 0;
  let excess = 0;
  let runEnd = 0;
  const factor = Math.exp(pitch);
  // A mean lowered by t costs as much ε as a variance lowered by t·reach; merging costs about pitch²/12.
  const close = (pitch * pitch) / (12 * reach);
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
        const rises = overFloor > 0;
        point = rises ? bin + 1 : bin;
        gamma = rises ? atFloor * factor : atFloor;
        excess = restP - gamma * restQ;
        held = restP;
        restP = 0;
        if (excess >= -snap * held) {
          mass[point]! += held;
          held = 0;
        } else runEnd = point + Math.max(1, Math.floor(reach / pitch));
        continue;
      }
      const gain = restP - gamma * restQ;
      if (gain <= 0) {
        held += restP;
        excess += gain;
        restP = 0;
      } else if (bin > runEnd) {
        mass[point - 1]! += held;
        held = 0;
      } else if (excess + gain <= 0) {
        held += restP;
        excess += gain;
        restP = 0;
      } else {
        const share = -excess / gain;
        mass[point]! += held + share * restP;
        held = 0;
        restP *= 1 - share;
        restQ *= 1 - share;
        if (share === 1) restP = 0;
      }
    }
  }
  if (held > 0) mass[Math.max(0, point - 1)]! += held;
}
