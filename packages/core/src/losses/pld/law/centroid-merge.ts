import { addAt, doubleAt } from "../../../numeric/elements/element-at.ts";
import type { GridPlace, HalfBins } from "./cell-tally.ts";

/** The grid, and what merging may do there. */
export interface MergeRoom extends GridPlace {
  /** The largest distance of losses that are merged. */
  readonly reach: number;
  /** The largest distance from a place at which a loss counts as on it. */
  readonly snap: number;
}

/**
 * Masses on places that lose no more than the given half bins do. Each half bin stands as one atom of e^{−L} = Q/P, and runs of atoms
 * are merged so that their mean of e^{−L} is exactly that of a place, the last atom of a run split. Where a run would reach too
 * far, its masses go down to the place below instead. Both only lower every δ (pld.proof.md, "The lower end").
 */
export function mergeToCentroids(bins: HalfBins, room: MergeRoom): Float64Array {
  const { p, q, points, indices } = bins;
  const { pitch, offset, reach, snap } = room;
  const mass = points.slice();
  const lossOf = (place: number): number => offset + doubleAt(indices, place) * pitch;
  const top = mergeTop(bins, room);
  addAt(mass, top.place, top.mass);
  let [point, gamma, held, excess, runEnd] = [0, 0, 0, 0, 0];
  let [place, atFloor, close] = [-1, 0, 0];
  for (let k = 0; k <= top.last; k++) {
    let restP = k === top.last ? top.restP : doubleAt(p, k);
    let restQ = k === top.last ? top.restQ : doubleAt(q, k);
    if (!(restP > 0)) continue;
    const bin = k >> 1;
    if (bin !== place) {
      place = bin;
      atFloor = Math.exp(lossOf(bin));
      const width = (doubleAt(indices, bin + 1) - doubleAt(indices, bin)) * pitch;
      // A mean lowered by t costs as much ε as a variance lowered by t·reach; merging costs about width²/12.
      close = (width * width) / (12 * reach);
    }
    const overFloor = restP - atFloor * restQ;
    // On a place, or so little above that going down costs less than merging.
    if (Math.abs(overFloor) <= snap * restP || (overFloor > 0 && overFloor <= close * restP)) {
      addAt(mass, bin, restP);
      continue;
    }
    while (restP > 0) {
      if (held === 0) {
        point = overFloor > 0 ? bin + 1 : bin;
        gamma = overFloor > 0 ? Math.exp(lossOf(point)) : atFloor;
        excess = restP - gamma * restQ;
        held = restP;
        restP = 0;
        if (excess >= -snap * held) {
          addAt(mass, point, held);
          held = 0;
        } else
          runEnd = Math.max(
            doubleAt(indices, point) + 1,
            doubleAt(indices, point) + Math.floor(reach / pitch),
          );
        continue;
      }
      const gain = restP - gamma * restQ;
      const within = doubleAt(indices, bin) <= runEnd || bin <= point + 1;
      if (gain <= 0 || (within && excess + gain <= 0)) {
        held += restP;
        excess += gain;
        restP = 0;
      } else if (!within) {
        // Below the lowest place it is left out, which only lowers δ.
        if (point > 0) addAt(mass, point - 1, held);
        held = 0;
      } else {
        const share = -excess / gain;
        addAt(mass, point, held + share * restP);
        held = 0;
        restP = share < 1 ? restP * (1 - share) : 0;
        restQ *= 1 - share;
      }
    }
  }
  if (held > 0) addAt(mass, Math.max(0, point - 1), held);
  return mass;
}

/** The highest atoms as a mass on a place, and what they leave: half bins up to `last`, of which it has the rest alone. */
interface TopRun {
  readonly place: number;
  readonly mass: number;
  readonly last: number;
  readonly restP: number;
  readonly restQ: number;
}

/**
 * The run of the highest atom goes downwards: nothing above could balance what lies above its place. Where masses below cannot either, the
 * mean is above the place, and goes down to it.
 */
function mergeTop({ p, q, indices }: HalfBins, { pitch, offset, reach }: MergeRoom): TopRun {
  let last = p.length - 1;
  while (last > 0 && !(doubleAt(p, last) > 0)) last--;
  const place = last >> 1;
  const gamma = Math.exp(offset + doubleAt(indices, place) * pitch);
  const runStart = doubleAt(indices, place) - Math.floor(reach / pitch);
  let [mass, excess] = [0, 0];
  for (; last >= 0 && doubleAt(indices, last >> 1) >= runStart; last--) {
    const gain = doubleAt(p, last) - gamma * doubleAt(q, last);
    if (excess + gain <= 0) {
      const share = gain < 0 ? excess / -gain : 0;
      return {
        ...{ place, last, mass: mass + share * doubleAt(p, last) },
        ...{ restP: doubleAt(p, last) * (1 - share), restQ: doubleAt(q, last) * (1 - share) },
      };
    }
    mass += doubleAt(p, last);
    excess += gain;
  }
  return { place, mass, last, restP: p[last] ?? 0, restQ: q[last] ?? 0 };
}
