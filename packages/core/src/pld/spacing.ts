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
/** How much wider an interval may become by it. */
const wider = 1.06;

/** The grid on which a step is put, and the tilt under which it is to serve. */
export interface SpacingNeeds {
  readonly pitch: number;
  readonly offset: number;
  readonly tilt: number;
}

/**
 * What a cell adds to the width between two ends is its tilted mass times its own width squared: the fewest cells for a given sum
 * have widths that grow as the cube root of one over the density. From where a law is densest widths only grow. Any spacing is sound.
 */
export function spacingFor(atoms: StepAtoms, { pitch, offset, tilt }: SpacingNeeds): Spacing {
  if (atoms.losses.length < 3) return evenSpacing;
  const pieces = piecesOf(atoms.losses, tiltedMasses(atoms, tilt));
  if (pieces === null) return evenSpacing;
  const { edges, masses } = pieces;
  const cubeRoots = masses.map((mass, i) => Math.cbrt((edges[i + 1]! - edges[i]!) / mass));
  const densest = cubeRoots.indexOf(cubeRoots.reduce((a, b) => Math.min(a, b)));
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  for (let scale = 1 / cubeRoots[densest]!; scale * mostRatio > 1 / cubeRoots[densest]!; scale /= 1.25) {
    const widths = growing(
      cubeRoots.map((cubeRoot) => widthOf(scale * cubeRoot)),
      densest,
    );
    const sum = masses.reduce((all, mass, i) => all + mass * widths[i]! ** 2, 0);
    if (sum <= wider * total) return spacingOf(widths, edges, { pitch, offset });
  }
  return evenSpacing;
}

/** Neighbouring atoms together, a few hundred pieces of the loss axis: their edges, one more than pieces, and their masses, none of them 0. */
function piecesOf(
  losses: Float64Array,
  all: Float64Array,
): { readonly edges: Float64Array; readonly masses: Float64Array } | null {
  const least = 1e-20 * all.reduce((sum, mass) => sum + mass, 0);
  let [from, to] = [0, all.length];
  while (from < to && !(all[from]! > least)) from++;
  while (to > from && !(all[to - 1]! > least)) to--;
  if (to - from < 3) return null;
  const each = Math.ceil((to - from) / mostPieces);
  const [edges, masses]: [number[], number[]] = [[losses[from]!], []];
  for (let start = from; start < to; start += each) {
    const end = Math.min(to, start + each);
    const edge = end === to ? losses[to - 1]! : (losses[end - 1]! + losses[end]!) / 2;
    let mass = least;
    for (let i = start; i < end; i++) mass += all[i]!;
    if (!(edge > edges[edges.length - 1]!)) {
      masses[masses.length - 1] = (masses[masses.length - 1] ?? 0) + mass;
      continue;
    }
    edges.push(edge);
    masses.push(mass);
  }
  return masses.length < 3 ? null : { edges: Float64Array.from(edges), masses: Float64Array.from(masses) };
}

/** Of each atom the most that it has under the tilt, forward or mirrored, each law with the mass 1. */
function tiltedMasses({ losses, p, q }: StepAtoms, tilt: number): Float64Array {
  const most = new Float64Array(losses.length);
  for (const [masses, rate] of [[p, tilt] as const, [q, -tilt] as const]) {
    const logs = losses.map((loss, i) => (masses[i]! > 0 ? Math.log(masses[i]!) + rate * loss : -1e9));
    const peak = logs.reduce((a, b) => Math.max(a, b));
    const tilted = logs.map((log) => Math.exp(log - peak));
    const total = tilted.reduce((sum, mass) => sum + mass, 0);
    for (const [i, mass] of tilted.entries()) most[i] = Math.max(most[i]!, mass / total);
  }
  return most;
}

/** The greatest power of two up to that, within 1 … 64. */
function widthOf(pitches: number): number {
  let width = 1;
  while (2 * width <= pitches && width < mostPitches) width *= 2;
  return width;
}

/** No width is above any that lies farther out. */
function growing(widths: Float64Array, densest: number): Float64Array {
  let least = mostPitches;
  for (let i = 0; i <= densest; i++) widths[i] = least = Math.min(least, widths[i]!);
  least = mostPitches;
  for (let i = widths.length - 1; i >= densest; i--) widths[i] = least = Math.min(least, widths[i]!);
  return widths;
}

/** A width from a grid index on, where the place is `place`. */
interface Stretch {
  readonly index: number;
  readonly place: number;
  readonly width: number;
}

function spacingOf(
  widths: Float64Array,
  edges: Float64Array,
  { pitch, offset }: Pick<SpacingNeeds, "pitch" | "offset">,
): Spacing {
  const stretches: Stretch[] = [];
  const indexOf = (loss: number): number => (loss - offset) / (pitch * mostPitches);
  for (let i = 1; i < widths.length; i++) {
    const [before, width] = [widths[i - 1]!, widths[i]!];
    if (before === width) continue;
    // The narrower cells reach over the edge.
    const block = width < before ? Math.floor(indexOf(edges[i]!)) : Math.ceil(indexOf(edges[i]!));
    const last = stretches[stretches.length - 1];
    const index = block * mostPitches;
    const place = last === undefined ? index / before : last.place + (index - last.index) / last.width;
    stretches.push({ index, place, width });
  }
  if (stretches.length === 0) return widths[0] === 1 ? evenSpacing : spread(widths[0]!);
  const outer = widths[0]!;
  const first = stretches[0]!;
  return {
    gridOf: (place) => {
      let at = stretches.length - 1;
      while (at > 0 && place < stretches[at]!.place) at--;
      const { index, place: from, width } = stretches[at]!;
      return index + (place - from) * (place < first.place ? outer : width);
    },
    placeOf: (index) => {
      let at = stretches.length - 1;
      while (at > 0 && index < stretches[at]!.index) at--;
      const { index: from, place, width } = stretches[at]!;
      return place + (index - from) / (index < first.index ? outer : width);
    },
    widest: widths.reduce((a, b) => Math.max(a, b)),
  };
}

function spread(width: number): Spacing {
  return { gridOf: (place) => place * width, placeOf: (index) => index / width, widest: width };
}
