import type { DominatingPair, Tails } from "../measures/pairs/index.ts";
import { CellTally } from "./cell-tally.ts";
import { mergeToCentroids } from "./centroid-merge.ts";
import type { GridEnds, GridLaw, GridStep } from "./grid-law.ts";

/** How one step is put on a grid. */
export interface Discretization {
  readonly pitch: number;
  readonly offset: number;
  /** Mass that may be left out at either end. */
  readonly tail: number;
  /** How far losses are merged for the lower end, rather than lowered. */
  readonly reach: number;
  /** Expected range of losses; others are taken too, more slowly. */
  readonly lowest: number;
  readonly highest: number;
  /** How far the atoms of a lattice lie off the grid. */
  readonly misfit: number;
}

const unit = Number.EPSILON / 2;
/** What every emission promises of its masses; see DominatingPair.emit. */
const emittedMassError = 1e-12;

/** Both ends of both directions, from one emission. */
export function discretize(pair: DominatingPair, how: Discretization): GridStep {
  const tally = new CellTally(how.pitch, how.offset, how.lowest, how.highest);
  const tails = pair.emit(tally, how.tail, tally.add);
  const most = tally.mostAtoms;
  const last = tally.firstPoint + tally.forward.length;
  const extent = Math.max(Math.abs(tally.edge(2 * tally.firstPoint)), Math.abs(tally.edge(2 * last)));
  const lossError = (48 + 2 * most) * unit * (1 + Math.min(extent, 601)) + 1e-12 * how.pitch + how.misfit;
  const forward: Tails = {
    ...tails,
    pHigh: tails.pHigh + tally.pBeyond,
    qLow: tails.qLow + tally.qBeyond,
  };
  const mirror: Tails = {
    pLow: forward.qHigh,
    qLow: forward.pHigh,
    pHigh: forward.qLow,
    qHigh: forward.pLow,
  };
  const size = tally.forward.length;
  return {
    forward: ends(tally.forward, tally.p, tally.q, tally.firstPoint, how, pair.infiniteP, forward, lossError),
    mirrored: ends(
      tally.mirrored.slice().reverse(),
      tally.q.slice().reverse(),
      tally.p.slice().reverse(),
      1 - tally.firstPoint - size,
      { ...how, offset: -how.offset },
      pair.infiniteQ,
      mirror,
      lossError,
      1,
    ),
    massError: emittedMassError + (4 * most + 16) * unit,
    // The merging snaps by another lossError, and rounds.
    lossError: 2.5 * lossError,
  };
}

/** `shift`: by how many points the half bins' left edges lie before the points of `upper`. */
function ends(
  upper: Float64Array,
  p: Float64Array,
  q: Float64Array,
  first: number,
  { pitch, offset, reach }: Discretization,
  infinite: number,
  tails: Tails,
  lossError: number,
  shift = 0,
): GridEnds {
  const lower = new Float64Array(upper.length + 2);
  const origin = first - shift;
  mergeToCentroids(p, q, (point) => offset + (origin + point) * pitch, pitch, reach, lossError, lower);
  // What lies below the lowest atom is lifted to it, what lies above the highest to ∞.
  if (tails.pLow > 0) {
    const lowest = upper.findIndex((mass) => mass > 0);
    upper[Math.max(0, lowest)]! += tails.pLow;
  }
  return {
    upper: trimmed({ pitch, offset, first, mass: upper, infinite: infinite + tails.pHigh }),
    lower: trimmed({ pitch, offset, first: origin, mass: lower, infinite: infinite * (1 - 1e-12) }),
  };
}

function trimmed(law: GridLaw): GridLaw {
  const { mass } = law;
  let [from, to] = [0, mass.length];
  while (from < to && !(mass[from]! > 0)) from++;
  while (to > from && !(mass[to - 1]! > 0)) to--;
  return { ...law, first: law.first + from, mass: mass.subarray(from, to) };
}
