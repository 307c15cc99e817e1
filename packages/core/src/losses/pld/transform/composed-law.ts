import { doubleAt, elementAt } from "../../../numeric/elements/element-at.ts";
import type { GridLaw } from "../law/grid-law.ts";
import { chernoffBound } from "../tilt/tail-bound.ts";
import type { TailWindow } from "../tilt/tail-window.ts";
import { tiltedMoments, tiltLaw } from "../tilt/tilted-law.ts";
import { windowFor } from "../tilt/window.ts";
import type { End } from "./bracket-end.ts";
import { DirectTransform, massBlocksOf } from "./direct-transform.ts";
import { entryTails } from "./entry-tails.ts";
import { sharpSpectralTails } from "./spectral-tails.ts";
import { massesOf, type Summand, sumSpectrum } from "./spectrum-power.ts";

/** One end of one direction of a composition, tilted: a function δ(ε) that is exact near the tilt's mean. */
export interface ComposedLaw {
  readonly size: number;
  /** Returns at least (for the upper end) or at most (for the lower) the finite part of δ(ε) of the sum of the laws. */
  finitePart(epsilon: number): number;
}

export interface Composition {
  readonly laws: readonly { readonly law: GridLaw; readonly count: number }[];
  readonly end: End;
  readonly tilt: number;
  /** The part of e^{λε − K}·δ(ε) that may be lost to the ends of the window; see {@link windowFor}, as for `margin`. */
  readonly leakage: number;
  readonly margin: number;
}

/** The most points of a window; a larger one is refused (null). */
export const mostPoints: number = 1 << 22;

const unit = Number.EPSILON / 2;

export function composeLaws({ laws, end, tilt, leakage, margin }: Composition): ComposedLaw | null {
  const summands = laws.map(({ law, count }) => ({ law: tiltLaw(law, tilt), count, untilted: law.mass }));
  if (summands.some(({ law }) => law.mass.length === 0)) return { size: 0, finitePart: () => 0 };
  const pitch = elementAt(summands, 0).law.pitch;
  let [shift, offset, massError, mean, variance] = [0, 0, 0, 0, 0];
  let [magnitude, logTotal] = [0, 0];
  const parts = summands.map(({ law, count, untilted }) => {
    shift += count * law.shift;
    magnitude += count * Math.abs(law.shift);
    offset += count * law.offset;
    massError += count * law.massError;
    // A sum of n positive terms is within n·u of them.
    logTotal += count * (Math.log(total(untilted)) + 2 * (untilted.length + 4) * unit);
    const moments = tiltedMoments(law);
    mean += count * moments.mean;
    variance += count * moments.variance;
    return { law, count, center: moments.mean, variance: count * moments.variance };
  });
  const deviation = Math.sqrt(variance);
  const [upwards, downwards] = [chernoffBound(parts, 1, deviation), chernoffBound(parts, -1, deviation)];
  const { above, below, period } = windowFor({
    ...{ tilt, mean, deviation, log: shift, leakage, margin },
    reachAbove: upwards.reach,
    reachBelow: downwards.reach,
  });
  // Sums of indices stay whole numbers that doubles hold.
  if (!(Math.abs((mean - offset) / pitch) + (above + period) / pitch < 2 ** 50)) return null;
  const bottom = Math.floor((mean - below - offset) / pitch) - 1;
  const top = Math.ceil((mean + above - offset) / pitch) + 1;
  const size = 2 ** Math.ceil(Math.log2(Math.max(4, top - bottom + 1, period / pitch + 1)));
  if (!(size <= mostPoints)) return null;
  const count = top - bottom + 1;
  const spectrum = sumSpectrum(flattestFirst(parts, { size, pitch, deviation }), size);
  const window: TailWindow = { pitch, offset, bottom, count, tilt, mean };
  const tails = sharpSpectralTails(spectrum, window, leakage) ?? entryTails(massesOf(spectrum), window, end);
  const exponentError = 8 * unit * (magnitude + Math.abs(tilt * mean) + (tilt + 1) * (above + below) + 4);
  // The exponents and the tilted masses.
  const relative = Math.expm1(Math.min(700, massError + exponentError));
  const scale = shift - tilt * mean;
  const topLoss = offset + top * pitch;
  const bottomLoss = offset + bottom * pitch;
  const logLargestWeight = tilt === 0 ? 0 : tilt * Math.log(tilt / (tilt + 1)) - Math.log(tilt + 1);
  const leftAbove = upwards.logBeyond(topLoss - mean);
  const leftBelow = downwards.logBeyond(mean - bottomLoss);
  // Folded onto the window from below it, with its tilt and without.
  const round = size * pitch;
  const foldedBelow = downwards.logBeyond(mean - topLoss + round) + logLargestWeight;
  const untilted = logTotal - tilt * round;

  // By the convexity of K e^{scale} is at most the mass of the laws; where it is no double, weights below the mean may make up for it.
  const untilt = (sum: number): number =>
    scale > -650 || !(sum > 0) ? sum * Math.exp(Math.min(700, scale)) : Math.exp(Math.log(sum) + scale);

  const finitePart = (epsilon: number): number => {
    const { sum, noise } = tails(epsilon);
    const prefactor = shift - tilt * epsilon;
    if (end === "upper") {
      const core = Math.max(0, sum) + noise;
      // Mass above the window weighs at most e^{−λ(top − ε)}; mass below it counts only for an ε down there.
      const beyond = Math.exp(leftAbove + shift - tilt * Math.max(epsilon, topLoss));
      const beneath = epsilon < bottomLoss ? Math.exp(leftBelow + prefactor) : 0;
      const upper = (untilt(core) + (beyond + beneath) * (1 + 1e-6)) * (1 + relative);
      // Far from the tilt weights overflow, and nothing is proven.
      return upper >= 0 ? upper + Number.MIN_VALUE : Number.POSITIVE_INFINITY;
    }
    // Far above, the weights of entries would be cut short.
    if (!(epsilon - mean < 600)) return 0;
    const foldedAbove = upwards.logBeyond(Math.max(epsilon, bottomLoss) - mean + round) + logLargestWeight;
    const folded = Math.exp(foldedAbove + prefactor) + Math.exp(Math.min(foldedBelow + prefactor, untilted));
    const core = untilt(sum - noise) * (1 - Math.min(1, relative));
    const lower = core - folded * (1 + 1e-6) * (1 + relative) - Number.MIN_VALUE;
    return lower > 0 ? lower : 0;
  };
  return { size, finitePart };
}

/** Above this many deviations' frequency next to nothing is left of a sum that is about normal; so many times it is looked at. */
const lookAt = 35;

/**
 * The laws in the order of what is left of their transforms well above the frequencies that a sum needs: soon few are left of a product that begins with the
 * flattest.
 */
function flattestFirst<Of extends Summand>(
  parts: readonly Of[],
  { size, pitch, deviation }: { readonly size: number; readonly pitch: number; readonly deviation: number },
): readonly Of[] {
  if (parts.length < 2) return parts;
  const k = Math.max(1, Math.round(Math.min(size / 4, (lookAt * size * pitch) / (2 * Math.PI * deviation))));
  const direct = new DirectTransform(size);
  const left = parts.map((part) => {
    const { re, im } = direct.at(massBlocksOf(part.law), [k]);
    return { part, log: part.count * Math.log(Math.hypot(doubleAt(re, 0), doubleAt(im, 0)) + 1e-16) };
  });
  return left.sort((a, b) => a.log - b.log).map(({ part }) => part);
}

function total(masses: Float64Array): number {
  let sum = 0;
  for (const mass of masses) sum += mass;
  return sum;
}
