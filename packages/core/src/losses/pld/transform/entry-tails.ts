import { doubleAt } from "../../../numeric/elements/element-at.ts";
import { placeAbove, type TailSums, type TailWindow } from "../tilt/tail-window.ts";
import type { End } from "./bracket-end.ts";
import type { CircularSum } from "./spectrum-power.ts";

const unit = Number.EPSILON / 2;

/**
 * The sums from every mass of the window, untilted about the mean: the suffix sums Σ P, and Σ P·e^{−(loss − first)} counted from the first loss of
 * each suffix, so that neither falls out of the doubles before its masses do.
 */
export function entryTails({ mass, error }: CircularSum, window: TailWindow, end: End): TailSums {
  const { pitch, offset, bottom, count, tilt, mean } = window;
  const masses = new Float64Array(count + 1);
  const shrunk = new Float64Array(count + 1);
  const size = mass.length;
  const top = bottom + count - 1;
  let slot = ((top % size) + size) % size;
  const sign = end === "upper" ? 1 : -1;
  // A recurrence of few steps: no factor grows by more than e^30 from where it was computed.
  const stride = Math.max(1, Math.min(64, Math.floor(30 / ((tilt + 1) * pitch))));
  const tiltStep = Math.exp(tilt * pitch);
  const shrink = Math.exp(-pitch);
  let weight = 0;
  for (let i = count - 1; i >= 0; i--) {
    if ((count - 1 - i) % stride === 0) {
      weight = fullPrecision(Math.exp(-tilt * (offset + (bottom + i) * pitch - mean)), end);
    }
    const sound = doubleAt(mass, slot) + sign * error;
    const term = sound > 0 ? sound * weight : 0;
    masses[i] = doubleAt(masses, i + 1) + term;
    shrunk[i] = doubleAt(shrunk, i + 1) * shrink + term;
    weight *= tiltStep;
    slot = slot === 0 ? size - 1 : slot - 1;
  }
  // The recursive sums and the recurrences; and products that underflow.
  const recurrence = (4 * count + 300) * unit;
  const underflow = 4 * count * Number.MIN_VALUE;
  return (epsilon) => {
    const from = placeAbove(window, epsilon);
    const a = doubleAt(masses, from);
    const b = doubleAt(shrunk, from) * Math.exp(Math.min(0, epsilon - (offset + (bottom + from) * pitch)));
    return { sum: a - b, noise: recurrence * (a + b) + underflow };
  };
}

/** A factor near the end of the doubles is rounded to where its multiples are still right: up for an upper end, to 0 for a lower. */
function fullPrecision(factor: number, end: End): number {
  return factor > 1e-290 ? factor : end === "upper" ? 1e-290 : 0;
}
