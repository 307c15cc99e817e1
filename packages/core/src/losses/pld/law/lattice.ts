import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { StepAtoms } from "./step-law.ts";

/** A grid that holds every loss of every pair: pair i's losses are offsets[i] + whole multiples of the pitch. */
export interface Lattice {
  readonly pitch: number;
  readonly offsets: readonly number[];
  /** The distance of the losses of pair i from it. */
  readonly misfits: readonly number[];
}

const mostAtoms = 4096;

/** The coarsest lattice of pairs of few atoms; null where there is none that holds them to 1e-11. */
export function latticeOf(pairs: readonly StepAtoms[]): Lattice | null {
  if (pairs.some(({ losses }) => losses.length === 0 || losses.length > mostAtoms)) return null;
  let pitch = 0;
  for (const { losses } of pairs) {
    for (let i = 1; i < losses.length; i++) {
      const gap = doubleAt(losses, i) - doubleAt(losses, i - 1);
      if (gap > 1e-13) pitch = commonDivisor(pitch, gap);
      if (Number.isNaN(pitch)) return null;
    }
  }
  if (pitch === 0) pitch = 1;
  // The longest span settles the last digits.
  const span = Math.max(
    ...pairs.map(({ losses }) => doubleAt(losses, losses.length - 1) - doubleAt(losses, 0)),
  );
  const steps = Math.round(span / pitch);
  if (!(steps < 1 << 22)) return null;
  if (steps > 0) pitch = span / steps;
  const misfits = pairs.map(({ losses }) => {
    let worst = 0;
    for (const loss of losses) {
      const index = Math.round((loss - doubleAt(losses, 0)) / pitch);
      worst = Math.max(worst, Math.abs(doubleAt(losses, 0) + index * pitch - loss));
    }
    return worst;
  });
  if (misfits.some((misfit) => !(misfit <= 1e-11))) return null;
  return { pitch, offsets: pairs.map(({ losses }) => doubleAt(losses, 0)), misfits };
}

/** Euclid's algorithm in doubles; NaN where it does not end well above the rounding. */
export function commonDivisor(a: number, b: number): number {
  let [x, y] = a > b ? [a, b] : [b, a];
  const noise = 1e-9 * x;
  while (y > noise) {
    const rest = x - y * Math.round(x / y);
    [x, y] = [y, Math.abs(rest)];
  }
  return y === 0 || (y <= noise && x > 1e4 * noise) ? x : Number.NaN;
}
