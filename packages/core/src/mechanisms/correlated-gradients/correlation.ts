import { invalidParameter } from "../../errors/lethe-error.ts";
import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { bigintAt, elementAt } from "../../numeric/elements/element-at.ts";
import { ceil, fromDouble, multiply, ratio } from "../../numeric/rational.ts";
import { sqrtCoefficients } from "../continual-counting/index.ts";
import { checkInteger } from "../noisy-gradients/gradient-sensitivity.ts";

/** How the noise of a step hangs on that of the steps before it, so that sums over many steps have less of it. */
export type Correlation =
  /** Sums over dyadic intervals of steps: a running sum has the noise of at most ⌊log₂ t⌋ + 1 of them. */
  | { readonly kind: "tree" }
  /** The first `bands` coefficients of (1 − z)^(−1/2), cut to a grid of 2^-12. Memory and time: `bands` vectors. */
  | { readonly kind: "banded"; readonly bands: number }
  /**
   * Buffered linear Toeplitz: 1, then Σ outputs[k]·decays[k]^(j−1) for j ≥ 1. Memory and time: a vector for each buffer, however many steps.
   */
  | { readonly kind: "blt"; readonly decays: readonly number[]; readonly outputs: readonly number[] };

/** Measurements are integers in units of 2^-12 of the gradients' grid, but for a tree's. */
export const measurementBits = 12;
/** Places of the coefficients from which a sensitivity is computed, upward. */
export const priceBits = 30;
const most = { bands: 1024, buffers: 32 };

/** Checks a correlation's own numbers. Errors: parameter.invalid. */
export function checkCorrelation(correlation: Correlation): void {
  if (correlation.kind === "tree") return;
  if (correlation.kind === "banded") {
    checkInteger("bands", correlation.bands, 1, most.bands);
    return;
  }
  if (correlation.kind !== "blt") {
    throw invalidParameter("correlation", (correlation as Correlation).kind, "tree, banded or blt");
  }
  const { decays, outputs } = correlation;
  checkInteger("buffers", decays.length, 1, most.buffers);
  if (outputs.length !== decays.length) {
    throw invalidParameter("outputs", outputs.length, `as many as there are decays, ${decays.length}`);
  }
  for (const decay of decays) {
    if (!(decay > 0 && decay <= 1 - 2 ** -20))
      throw invalidParameter("decays", decay, "above 0 and at most 1 − 2^-20");
  }
  // Then the coefficients never increase, and their inverse is stable: they are moments of a law on [0, 1).
  let total = 0;
  for (const [at, output] of outputs.entries()) {
    if (!(output > 0 && output < Number.POSITIVE_INFINITY))
      throw invalidParameter("outputs", output, "above 0");
    total += output / elementAt(decays, at);
  }
  if (!(total <= 1)) throw invalidParameter("Σ outputs/decays", total, "at most 1");
}

/** The integer coefficients of the banded matrix that is run, 2^12 first, never increasing. */
export function bandedCoefficients(bands: number): readonly bigint[] {
  return sqrtCoefficients(bands, measurementBits);
}

/**
 * Upper ends of the coefficients of a BLT matrix, in units of 2^-30, never increasing. Powers and sums are rounded up, and a coefficient is at most
 * the one before it, which it is in truth.
 */
export function bltCoefficientsUp(
  { decays, outputs }: Extract<Correlation, { readonly kind: "blt" }>,
  steps: number,
): readonly bigint[] {
  const unit = 1n << BigInt(priceBits);
  const up: bigint[] = [unit];
  const terms = outputs.slice();
  for (let j = 1; j < steps; j++) {
    let sum = 0;
    for (const [k, term] of terms.entries()) {
      sum = addUp(sum, term);
      terms[k] = multiplyUp(term, elementAt(decays, k));
    }
    const next = ceil(multiply(fromDouble(sum), ratio(unit)));
    const before = bigintAt(up, j - 1);
    up.push(next < before ? next : before);
  }
  return up;
}
