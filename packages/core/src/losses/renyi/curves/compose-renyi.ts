import { invalidParameter } from "../../../errors/lethe-error.ts";
import { checkOrder, type RenyiCurve, roundedUp } from "./renyi-curve.ts";

/** A curve and how many mechanisms with it were run. */
export interface RenyiTerm {
  readonly curve: RenyiCurve;
  readonly count: bigint;
}

/**
 * The adaptive composition of all: at each order the divergences add up.
 * Source: Mironov 2017, Prop. 1 (A Thm 3.1, C Lemma 8).
 * Direction: upper
 * Errors: parameter.invalid for a negative count.
 * @example composeRenyi([{ curve: gaussianRenyi(1), count: 4n }]).at(2) // => 4
 */
export function composeRenyi(terms: readonly RenyiTerm[]): RenyiCurve {
  for (const { count } of terms) if (!(count >= 0n)) throw invalidParameter("count", count, "≥ 0");
  const run = terms.filter(({ count }) => count > 0n);
  const [first, ...others] = run;
  if (others.length === 0 && first?.count === 1n) return first.curve;
  const gaussian = total(run, (curve) => curve.muSquared);
  const maxLoss = total(run, (curve) => curve.maxLoss);
  return {
    id:
      run.map(({ curve, count }) => (count === 1n ? curve.id : `${count} × ${curve.id}`)).join(" + ") ||
      "none",
    tight: run.every(({ curve }) => curve.tight),
    ...(gaussian === undefined ? {} : { muSquared: gaussian }),
    ...(maxLoss === undefined ? {} : { maxLoss }),
    at(order) {
      checkOrder(order);
      let sum = 0;
      for (const { curve, count } of run) {
        const each = curve.at(order);
        if (each > 0) sum += each * Number(count);
      }
      return roundedUp(sum, (run.length + 3) * 2 ** -52);
    },
  };
}

/** Σ count·property, rounded up; undefined as soon as one curve lacks it. */
function total(
  terms: readonly RenyiTerm[],
  property: (curve: RenyiCurve) => number | undefined,
): number | undefined {
  let sum = 0;
  for (const { curve, count } of terms) {
    const value = property(curve);
    if (value === undefined) return undefined;
    sum += value * Number(count);
  }
  return roundedUp(sum, (terms.length + 3) * 2 ** -52);
}
