import { doubleAt } from "../numeric/elements/element-at.ts";

/** The largest argument of {@link expNegative}. Beyond it the result would be below 2^−62, and callers decide by other means. */
export const expNegativeLimit = 43;

const powersOfHalf: Float64Array = new Float64Array(66);
powersOfHalf[0] = 1;
for (let n = 1; n < powersOfHalf.length; n++) powersOfHalf[n] = doubleAt(powersOfHalf, n - 1) / 2;

/** 1/14!, 1/13!, …, 1/2!, with alternating sign. */
const taylor: Float64Array = new Float64Array(13);
for (let k = 14, i = 0; k >= 2; k--, i++) {
  let factorial = 1; // below 2^53 until 18!
  for (let j = 2; j <= k; j++) factorial *= j;
  taylor[i] = (k % 2 === 0 ? 1 : -1) / factorial;
}

/**
 * e^{−gamma} for 0 ≤ gamma ≤ 43 with relative error below 2^−40, from +, −, ×, ÷ and ⌊⌋ alone, so the same on every
 * platform. NaN outside. Bound: |r| < 0.7 leaves a Taylor remainder 0.7^15/15! < 2^−47 (of a value ≥ ½); reduction loses
 * n·2^−52 < 2^−45; each of 14 Horner steps loses at most 2^−52.
 */
export function expNegative(gamma: number): number {
  if (!(gamma >= 0 && gamma <= expNegativeLimit)) return Number.NaN;
  const n = Math.floor(gamma * Math.LOG2E);
  const r = gamma - n * Math.LN2;
  let sum = 0;
  for (let i = 0; i < taylor.length; i++) sum = sum * r + doubleAt(taylor, i);
  return (1 - r + r * r * sum) * doubleAt(powersOfHalf, n);
}

/** 1 − d + d²/2 − … + d⁸/8! : within 2^−34 of e^{−d} for 0 ≤ d ≤ 0.3 (next term below 0.3⁹/9!, rounding below 2^−49). */
export function expNegativeNear0(d: number): number {
  return (
    1 -
    d *
      (1 -
        d *
          (1 / 2 -
            d * (1 / 6 - d * (1 / 24 - d * (1 / 120 - d * (1 / 720 - d * (1 / 5040 - d * (1 / 40320))))))))
  );
}
