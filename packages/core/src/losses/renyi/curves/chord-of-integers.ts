import { logOnePlusExp } from "../../../numeric/special/log-space.ts";
import { roundedUp } from "./renyi-curve.ts";

/** The largest order that is bounded; beyond it the bound is +∞. */
const largestOrder = 1024;

/**
 * A bound on D_α at every order from bounds on log(E_Q[(P/Q)^n] − 1) at the integers: (α − 1)·D_α is convex in α and 0 at 1, so
 * it lies below the chord. The bounds are computed once each; +∞ above 1024.
 */
export function chordOfIntegers(logExcessAt: (n: number) => number): (order: number) => number {
  const known = new Map<number, number>([[1, 0]]);
  const scaled = (n: number): number => {
    let value = known.get(n);
    if (value === undefined) {
      value = logOnePlusExp(logExcessAt(n));
      known.set(n, value);
    }
    return value;
  };
  return (order) => {
    if (!(order <= largestOrder)) return Number.POSITIVE_INFINITY;
    const below = Math.floor(order);
    const share = order - below;
    const chord = share === 0 ? scaled(below) : (1 - share) * scaled(below) + share * scaled(below + 1);
    // Each of the n terms of a sum may lose what its logarithm, up to 700, is rounded by.
    return roundedUp(chord / (order - 1), 1e-12 * (1 + order / 8));
  };
}
