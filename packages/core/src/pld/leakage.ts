import type { Saddle } from "./saddle.ts";

/** Roundings are no less. */
const least = 1e-15;

/** What of δ may go to roundings that are chosen: little beside the accuracy, (λ + 1)·accuracy of it. */
export function careFor(accuracy: number, { tilt }: Saddle, onLattice: boolean): number {
  // On a lattice nothing else is lost, and points are few.
  return onLattice ? 1e-12 : 2e-2 * Math.min(1, accuracy * (tilt + 1));
}

/** What of e^{λε − K}·δ(ε) may be lost to a window, ε being the mean of a tilted law that is about normal. */
export function leakageForNormal(care: number, { tilt, deviation }: Saddle): number {
  const expected = 1 / (Math.max(1, Math.sqrt(2 * Math.PI) * deviation * tilt) * (tilt + 1));
  return Math.max(least, Math.min(1e-3, care * expected));
}

/** The same where δ is known: a law of several humps may leave less at ε than a normal one of that mean would. */
export function leakageForShare(care: number, { tilt, log }: Saddle, epsilon: number, delta: number): number {
  return Math.max(least, care * Math.exp(tilt * epsilon - log) * delta);
}
