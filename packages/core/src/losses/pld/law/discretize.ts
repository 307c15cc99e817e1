import { addAt, doubleAt } from "../../../numeric/elements/element-at.ts";
import type { DominatingPair, Tails } from "../pairs/index.ts";
import { CellTally, type HalfBins } from "./cell-tally.ts";
import { mergeToCentroids } from "./centroid-merge.ts";
import { connectDots } from "./connect-dots.ts";
import type { GridEnds, GridLaw, GridStep } from "./grid-law.ts";
import type { Spacing } from "./spacing.ts";

/** The parameters by which one step is put on a grid. */
export interface Discretization {
  readonly pitch: number;
  readonly offset: number;
  /** Mass that may be left out at either end. */
  readonly tail: number;
  /** The distance over which losses are merged for the lower end, rather than lowered. */
  readonly reach: number;
  /** The range of losses to expect; others are taken too, more slowly. */
  readonly lowest: number;
  readonly highest: number;
  /** The distance of a lattice's atoms from the grid. */
  readonly misfit: number;
  /** The widths of the cells where they are wider than a pitch. */
  readonly spacing: Spacing;
}

const unit = Number.EPSILON / 2;
/** The relative error that every emission promises for its masses; see DominatingPair.emit. */
const emittedMassError = 1e-12;

/** Puts a pair on a grid: both ends of both directions, from one emission. */
export function discretize(pair: DominatingPair, how: Discretization): GridStep {
  const tally = new CellTally(how.pitch, how.offset, how.misfit, how.lowest, how.highest, how.spacing);
  const tails = pair.emit(tally, how.tail, tally.add);
  const most = tally.mostAtoms;
  const last = tally.firstPoint + tally.bins;
  const extent = Math.max(Math.abs(tally.point(tally.firstPoint)), Math.abs(tally.point(last)));
  const rounding = (64 + 2 * most) * unit * (1 + extent);
  const lossError =
    rounding + (pair.discrete ? 0 : 1e-12 * tally.widest) + how.misfit + (pair.lossError ?? 0);
  const forward: Tails = { ...tails, pHigh: tails.pHigh + tally.pBeyond, qLow: tails.qLow + tally.qBeyond };
  const mirror: Tails = {
    pLow: forward.qHigh,
    qLow: forward.pHigh,
    pHigh: forward.qLow,
    qHigh: forward.pLow,
  };
  const mirrored = { ...how, offset: -how.offset };
  return {
    forward: lazily(() => endsOf(tally.halfBins(), how, pair.infiniteP, forward, lossError)),
    mirrored: lazily(() => endsOf(tally.mirroredHalfBins(), mirrored, pair.infiniteQ, mirror, lossError)),
    massError: emittedMassError + (4 * most + 16) * unit,
    // The merging snaps by another lossError, and rounds.
    lossError: 2.5 * lossError,
  };
}

/** Delays work until it is first asked for: one direction often answers alone, and without a lower end. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function endsOf(
  bins: HalfBins,
  how: Discretization,
  infinite: number,
  tails: Tails,
  lossError: number,
): GridEnds {
  return {
    upper: lazily(() => {
      const mass = connectDots(bins, how);
      // What lies below the lowest atom is lifted to it, what lies above the highest to ∞.
      const lowest = Math.max(
        0,
        mass.findIndex((one) => one > 0),
      );
      if (tails.pLow > 0) addAt(mass, lowest, tails.pLow);
      return lawOf(mass, bins, how, infinite + tails.pHigh);
    }),
    lower: lazily(() =>
      lawOf(mergeToCentroids(bins, { ...how, snap: lossError }), bins, how, infinite * (1 - 1e-12)),
    ),
  };
}

/** The masses of places as those of all grid points between the outermost that have some. */
function lawOf(
  masses: Float64Array,
  { indices }: HalfBins,
  { pitch, offset, spacing }: Discretization,
  infinite: number,
): GridLaw {
  const widest = spacing.widest * pitch;
  let [from, to] = [0, masses.length];
  while (from < to && !(doubleAt(masses, from) > 0)) from++;
  while (to > from && !(doubleAt(masses, to - 1) > 0)) to--;
  if (from === to)
    return { pitch, widest, offset, first: doubleAt(indices, 0), mass: new Float64Array(0), infinite };
  const first = doubleAt(indices, from);
  const mass = new Float64Array(doubleAt(indices, to - 1) - first + 1);
  for (let i = from; i < to; i++) mass[doubleAt(indices, i) - first] = doubleAt(masses, i);
  return { pitch, widest, offset, first, mass, infinite };
}
