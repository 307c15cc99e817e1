import type { DominatingPair, Tails } from "../measures/pairs/index.ts";
import { CellTally, type HalfBins } from "./cell-tally.ts";
import { mergeToCentroids } from "./centroid-merge.ts";
import { connectDots } from "./connect-dots.ts";
import type { GridEnds, GridLaw, GridStep } from "./grid-law.ts";

/** How one step is put on a grid. */
export interface Discretization {
  readonly pitch: number;
  readonly offset: number;
  /** Mass that may be left out at either end. */
  readonly tail: number;
  /** How far losses are merged for the lower end, rather than lowered. */
  readonly reach: number;
  /** The range of losses to expect; others are taken too, more slowly. */
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
  const tally = new CellTally(how.pitch, how.offset, how.misfit, how.lowest, how.highest);
  const tails = pair.emit(tally, how.tail, tally.add);
  const most = tally.mostAtoms;
  const last = tally.firstPoint + tally.bins;
  const extent = Math.max(Math.abs(tally.point(tally.firstPoint)), Math.abs(tally.point(last)));
  const rounding = (64 + 2 * most) * unit * (1 + extent);
  const lossError = rounding + (pair.discrete ? 0 : 1e-12 * how.pitch) + how.misfit + (pair.lossError ?? 0);
  const forward: Tails = { ...tails, pHigh: tails.pHigh + tally.pBeyond, qLow: tails.qLow + tally.qBeyond };
  const mirror: Tails = {
    pLow: forward.qHigh,
    qLow: forward.pHigh,
    pHigh: forward.qLow,
    qHigh: forward.pLow,
  };
  const mirrored = { ...how, offset: -how.offset };
  return {
    forward: lazily(() =>
      endsOf({ ...tally.halfBins(), first: tally.firstPoint }, how, pair.infiniteP, forward, lossError),
    ),
    mirrored: lazily(() =>
      endsOf({ ...tally.mirroredHalfBins(), first: -last }, mirrored, pair.infiniteQ, mirror, lossError),
    ),
    massError: emittedMassError + (4 * most + 16) * unit,
    // The merging snaps by another lossError, and rounds.
    lossError: 2.5 * lossError,
  };
}

/** Made when first asked for: one direction often answers alone, and without a lower end. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

interface Placed extends HalfBins {
  /** The grid point where the first half bin begins. */
  readonly first: number;
}

function endsOf(
  { p, q, points, first }: Placed,
  { pitch, offset, reach }: Discretization,
  infinite: number,
  tails: Tails,
  lossError: number,
): GridEnds {
  const lossOf = (point: number): number => offset + (first + point) * pitch;
  const make = (mass: Float64Array, infiniteMass: number): GridLaw =>
    trimmed({ pitch, offset, first, mass, infinite: infiniteMass });
  return {
    upper: lazily(() => {
      const mass = new Float64Array(p.length / 2 + 2);
      connectDots(p, q, lossOf, pitch, mass);
      for (let i = 0; i < points.length; i++) mass[i]! += points[i]!;
      // What lies below the lowest atom is lifted to it, what lies above the highest to ∞.
      const lowest = Math.max(
        0,
        mass.findIndex((one) => one > 0),
      );
      if (tails.pLow > 0) mass[lowest]! += tails.pLow;
      return make(mass, infinite + tails.pHigh);
    }),
    lower: lazily(() =>
      make(mergeToCentroids({ p, q, points, lossOf, pitch, reach, snap: lossError }), infinite * (1 - 1e-12)),
    ),
  };
}

function trimmed(law: GridLaw): GridLaw {
  const { mass } = law;
  let [from, to] = [0, mass.length];
  while (from < to && !(mass[from]! > 0)) from++;
  while (to > from && !(mass[to - 1]! > 0)) to--;
  return { ...law, first: law.first + from, mass: mass.subarray(from, to) };
}
