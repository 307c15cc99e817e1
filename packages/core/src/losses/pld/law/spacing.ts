import { doubleAt, elementAt, lastElement } from "../../../numeric/elements/element-at.ts";
import type { StepAtoms } from "./step-law.ts";

/**
 * Places of a grid that is thinned where a law has little: place v is the grid index gridOf(v), and every cell between two places
 * is a whole number of pitches wide. Both are piecewise linear, the inverses of each other.
 */
export interface Spacing {
  gridOf(place: number): number;
  placeOf(index: number): number;
  /** The most pitches between two neighbouring places. */
  readonly widest: number;
}

/** Every grid point is a place. */
export const evenSpacing: Spacing = { gridOf: (place) => place, placeOf: (index) => index, widest: 1 };

/** Cells are not made wider; places where the width changes are whole multiples of it. */
const mostPitches = 64;
const mostRatio = 128;
const mostPieces = 256;
/** The factor by which the spacing may widen an interval. */
const wider = 1.06;

/** The grid on which a step is put, and the tilt under which it is to serve. */
export interface SpacingNeeds {
  readonly pitch: number;
  readonly offset: number;
  readonly tilt: number;
}

/**
 * Returns the widths of cells for a law. A cell adds its tilted mass times its own width squared to the width between the two ends: the
 * fewest cells for a given sum have widths that grow as the cube root of one over the density. Any spacing is sound.
 */
export function spacingFor(atoms: StepAtoms, { pitch, offset, tilt }: SpacingNeeds): Spacing {
  if (atoms.losses.length < 3) return evenSpacing;
  const pieces = piecesOf(atoms.losses, tiltedMasses(atoms, tilt));
  if (pieces === null) return evenSpacing;
  const { edges, masses } = pieces;
  const cubeRoots = masses.map((mass, i) => Math.cbrt((doubleAt(edges, i + 1) - doubleAt(edges, i)) / mass));
  const narrowest = 1 / cubeRoots.reduce((a, b) => Math.min(a, b));
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  for (let scale = narrowest; scale * mostRatio > narrowest; scale /= 1.25) {
    const widths = cubeRoots.map((cubeRoot) => widthOf(scale * cubeRoot));
    const sum = masses.reduce((all, mass, i) => all + mass * doubleAt(widths, i) ** 2, 0);
    if (sum <= wider * total) return spacingOf(widths, edges, { pitch, offset });
  }
  return evenSpacing;
}

/** Neighbouring atoms are put together to a few hundred pieces of the loss axis. A piece lies between two edges, and no mass is 0. */
function piecesOf(
  losses: Float64Array,
  all: Float64Array,
): { readonly edges: Float64Array; readonly masses: Float64Array } | null {
  const least = 1e-20 * all.reduce((sum, mass) => sum + mass, 0);
  let [from, to] = [0, all.length];
  while (from < to && !(doubleAt(all, from) > least)) from++;
  while (to > from && !(doubleAt(all, to - 1) > least)) to--;
  if (to - from < 3) return null;
  const each = Math.ceil((to - from) / mostPieces);
  const [edges, masses]: [number[], number[]] = [[doubleAt(losses, from)], []];
  for (let start = from; start < to; start += each) {
    const end = Math.min(to, start + each);
    const edge =
      end === to ? doubleAt(losses, to - 1) : (doubleAt(losses, end - 1) + doubleAt(losses, end)) / 2;
    let mass = least;
    for (let i = start; i < end; i++) mass += doubleAt(all, i);
    if (!(edge > lastElement(edges))) {
      masses[masses.length - 1] = (masses[masses.length - 1] ?? 0) + mass;
      continue;
    }
    edges.push(edge);
    masses.push(mass);
  }
  return masses.length < 3 ? null : { edges: Float64Array.from(edges), masses: Float64Array.from(masses) };
}

/** Each atom has the more of its two tilted masses: of the law forward and of the mirrored one, each scaled to the mass 1. */
function tiltedMasses({ losses, p, q }: StepAtoms, tilt: number): Float64Array {
  const most = new Float64Array(losses.length);
  for (const [masses, rate] of [[p, tilt] as const, [q, -tilt] as const]) {
    const logs = losses.map((loss, i) =>
      doubleAt(masses, i) > 0 ? Math.log(doubleAt(masses, i)) + rate * loss : -1e9,
    );
    const peak = logs.reduce((a, b) => Math.max(a, b));
    const tilted = logs.map((log) => Math.exp(log - peak));
    const total = tilted.reduce((sum, mass) => sum + mass, 0);
    for (const [i, mass] of tilted.entries()) most[i] = Math.max(doubleAt(most, i), mass / total);
  }
  return most;
}

/** The greatest power of two up to that, within 1 … 64. */
function widthOf(pitches: number): number {
  let width = 1;
  while (2 * width <= pitches && width < mostPitches) width *= 2;
  return width;
}

/** A width from a grid index on, where the place is `place`. */
interface Stretch {
  readonly index: number;
  readonly place: number;
  readonly width: number;
}

/** Widths change at whole multiples of the widest: a block of so many indices has the least width of what lies there. */
function spacingOf(
  widths: Float64Array,
  edges: Float64Array,
  { pitch, offset }: Pick<SpacingNeeds, "pitch" | "offset">,
): Spacing {
  const blockOf = (loss: number): number => Math.floor((loss - offset) / (pitch * mostPitches));
  const first = blockOf(doubleAt(edges, 0));
  const blocks = new Uint8Array(blockOf(doubleAt(edges, widths.length)) - first + 1).fill(mostPitches);
  for (const [i, width] of widths.entries()) {
    const to = blockOf(doubleAt(edges, i + 1));
    for (let block = blockOf(doubleAt(edges, i)); block <= to; block++) {
      if (width < elementAt(blocks, block - first)) blocks[block - first] = width;
    }
  }
  const stretches: Stretch[] = [{ index: first * mostPitches, place: 0, width: elementAt(blocks, 0) }];
  for (const [i, width] of blocks.entries()) {
    const last = lastElement(stretches);
    if (width === last.width) continue;
    const index = (first + i) * mostPitches;
    stretches.push({ index, place: last.place + (index - last.index) / last.width, width });
  }
  return {
    gridOf: (place) => {
      const { index, place: from, width } = lastOf(stretches, (stretch) => stretch.place <= place);
      return index + (place - from) * width;
    },
    placeOf: (index) => {
      const { index: from, place, width } = lastOf(stretches, (stretch) => stretch.index <= index);
      return place + (index - from) / width;
    },
    widest: stretches.reduce((most, { width }) => Math.max(most, width), 1),
  };
}

/** The stretch that holds a place is the last that has begun; the first goes on below its beginning. */
function lastOf(stretches: readonly Stretch[], begun: (stretch: Stretch) => boolean): Stretch {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (begun(elementAt(stretches, middle))) low = middle;
    else high = middle - 1;
  }
  return elementAt(stretches, low);
}
