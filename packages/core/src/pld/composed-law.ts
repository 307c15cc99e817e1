import type { GridLaw } from "./grid-law.ts";
import { circularSum } from "./spectrum-power.ts";
import { logMoment, type TiltedLaw, tiltedMoments, tiltLaw } from "./tilted-law.ts";

/** One end of one direction of a composition, tilted: a function δ(ε) that is exact near the tilt's mean. */
export interface ComposedLaw {
  readonly size: number;
  /** At least (for the upper end) or at most (for the lower) the finite part of δ(ε) of the sum of the laws. */
  finitePart(epsilon: number): number;
}

export type End = "upper" | "lower";

export interface Composition {
  readonly laws: readonly { readonly law: GridLaw; readonly count: number }[];
  readonly end: End;
  readonly tilt: number;
  /** Tilted mass that may lie beyond either end of the window. */
  readonly leakage: number;
}

/** More points than this, and the window is refused: null. */
export const mostPoints: number = 1 << 22;

const unit = Number.EPSILON / 2;

export function composeLaws({ laws, end, tilt, leakage }: Composition): ComposedLaw | null {
  const summands = laws.map(({ law, count }) => ({ law: tiltLaw(law, tilt), count }));
  if (summands.some(({ law }) => law.mass.length === 0)) return { size: 0, finitePart: () => 0 };
  const pitch = summands[0]!.law.pitch;
  let [shift, offset, massError, mean, variance] = [0, 0, 0, 0, 0];
  let magnitude = 0;
  for (const { law, count } of summands) {
    shift += count * law.shift;
    magnitude += count * Math.abs(law.shift);
    offset += count * law.offset;
    massError += count * law.massError;
    const moments = tiltedMoments(law);
    mean += count * moments.mean;
    variance += count * moments.variance;
  }
  const deviation = Math.sqrt(variance);
  const { reach: above, left: leftAbove } = reachOf(summands, 1, leakage, deviation);
  const { reach: below, left: leftBelow } = reachOf(summands, -1, leakage, deviation);
  // Sums of indices stay whole numbers that doubles hold.
  if (!(Math.abs((mean - offset) / pitch) + above / pitch < 2 ** 50)) return null;
  const bottom = Math.floor((mean - below - offset) / pitch) - 1;
  const top = Math.ceil((mean + above - offset) / pitch) + 1;
  const size = 2 ** Math.ceil(Math.log2(Math.max(4, top - bottom + 1)));
  if (!(size <= mostPoints)) return null;
  const { mass, error } = circularSum(summands, size);

  // Suffix sums of the masses untilted about the mean: Σ P and Σ P·e^{−loss}, both without the factor e^{shift − λ·mean}.
  const count = top - bottom + 1;
  const masses = new Float64Array(count + 1);
  const shrunk = new Float64Array(count + 1);
  let slot = ((top % size) + size) % size;
  const sign = end === "upper" ? 1 : -1;
  const tiltStep = Math.exp(tilt * pitch);
  const lossStep = Math.exp(pitch);
  let [weight, fall] = [0, 0];
  for (let i = count - 1; i >= 0; i--) {
    if (i === count - 1 || i % 64 === 63) {
      const distance = offset + (bottom + i) * pitch - mean;
      weight = Math.exp(-tilt * distance);
      fall = Math.exp(-distance);
    }
    const sound = mass[slot]! + sign * error;
    const term = sound > 0 ? sound * weight : 0;
    masses[i] = masses[i + 1]! + term;
    shrunk[i] = shrunk[i + 1]! + term * fall;
    weight *= tiltStep;
    fall *= lossStep;
    slot = slot === 0 ? size - 1 : slot - 1;
  }
  const exponentError = 8 * unit * (magnitude + Math.abs(tilt * mean) + (tilt + 1) * (above + below) + 4);
  // The exponents and the tilted masses; the recursive sums and the recurrences of the weights.
  const relative = Math.expm1(Math.min(700, massError + exponentError));
  const recurrence = (2 * count + 300) * unit;
  const scale = shift - tilt * mean;
  const topLoss = offset + top * pitch;
  const bottomLoss = offset + bottom * pitch;
  const largestWeight = tilt === 0 ? 1 : (tilt / (tilt + 1)) ** tilt / (tilt + 1);

  const finitePart = (epsilon: number): number => {
    const index = Math.floor((epsilon - offset) / pitch) - bottom + 1;
    const from = Math.max(0, Math.min(count, index));
    const a = masses[from]!;
    const b = a > 0 ? shrunk[from]! * Math.exp(Math.min(700, epsilon - mean)) : 0;
    const noise = recurrence * (a + b);
    if (end === "upper") {
      const core = Math.max(0, a - b) + noise;
      // Mass above the window weighs at most e^{−λ(top − ε)}; mass below it counts only for an ε down there.
      const beyond = leftAbove * Math.exp(Math.min(700, shift - tilt * Math.max(epsilon, topLoss)));
      const beneath = epsilon < bottomLoss ? leftBelow * Math.exp(Math.min(700, shift - tilt * epsilon)) : 0;
      return core * Math.exp(Math.min(700, scale)) * (1 + relative) + (beyond + beneath) * (1 + 1e-6);
    }
    const core = (a - b - noise) * Math.exp(Math.min(700, scale)) * (1 - Math.min(1, relative));
    const wrapped =
      (leftAbove + leftBelow) * largestWeight * Math.exp(Math.min(700, shift - tilt * epsilon)) * (1 + 1e-6);
    const lower = core - wrapped;
    return lower > 0 ? lower : 0;
  };
  return { size, finitePart };
}

interface Reach {
  /** Distance from the mean to the end of the window. */
  readonly reach: number;
  /** A bound of the tilted mass beyond. */
  readonly left: number;
}

/** How far above (side 1) or below (side −1) its mean the tilted sum leaves at most `leakage`, by Chernoff's bound. */
function reachOf(
  summands: readonly { readonly law: TiltedLaw; readonly count: number }[],
  side: 1 | -1,
  leakage: number,
  deviation: number,
): Reach {
  const logTail = -Math.log(leakage);
  const centers = summands.map(({ law }) => tiltedMoments(law).mean);
  const whole = summands.reduce((sum, { law, count }, i) => {
    const end = law.offset + (law.first + (side === 1 ? law.mass.length - 1 : 0)) * law.pitch;
    return sum + count * Math.abs(end - centers[i]!);
  }, 0);
  const reachAt = (theta: number): number => {
    let total = logTail;
    for (const [i, { law, count }] of summands.entries()) {
      total += count * logMoment(law, side * theta, centers[i]!);
    }
    return total / theta;
  };
  // Within this, no factor of a moment underflows.
  const steepest = Math.min(...summands.map(({ law }) => 300 / (law.mass.length * law.pitch)));
  let theta = Math.min(steepest, Math.sqrt(2 * logTail) / Math.max(deviation, 1e-12));
  let best = reachAt(theta);
  for (const factor of [0.6, 0.8]) {
    for (;;) {
      const next = reachAt(theta * factor);
      if (!(next < best)) break;
      best = next;
      theta *= factor;
    }
  }
  return best < whole ? { reach: best, left: leakage } : { reach: whole, left: 0 };
}
