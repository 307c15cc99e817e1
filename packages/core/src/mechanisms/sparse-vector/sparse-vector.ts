import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter, LetheError } from "../../errors/lethe-error.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { type SparseVectorSetting, sparseVectorScales } from "./sparse-vector-setting.ts";

/** One question: is the value at least the threshold? Value and number come from the data, the threshold must not. */
export interface SparseVectorQuestion {
  /** An integer that neighbours move by at most the setting's sensitivity. */
  readonly value: bigint;
  /** Public; 0 unless stated. May follow from earlier answers, as the question may. */
  readonly threshold?: bigint;
  /** The number that is released with noise where the answer is "above" and numbers were paid for; the value unless stated. Its sensitivity is the value's. */
  readonly number?: bigint;
}

/** `number` is there exactly where "above" comes with a paid number. */
export interface SparseVectorAnswer {
  readonly above: boolean;
  readonly number?: bigint;
}

/** An opened, paid sparse vector: adaptive questions, all answers "below" free, spent after the cap of answers "above". */
export interface SparseVector {
  /** Answers "above" that are left. Public. */
  readonly left: bigint;
  /** Errors: mechanism.spent after the last paid "above"; parameter.invalid for a threshold that is not an integer. */
  ask(question: SparseVectorQuestion): SparseVectorAnswer;
}

/** Its three noises; each call is a fresh, independent draw. */
export interface SparseVectorNoise {
  threshold(): bigint;
  comparison(): bigint;
  /** The noise of the numbers; null where none were paid for. */
  readonly number: (() => bigint) | null;
}

/**
 * Opens a sparse vector that was charged with {@link sparseVectorEvent}: one noisy threshold for its whole life, fresh noise for
 * each comparison, fresh noise for each number.
 * Errors: parameter.invalid.
 * @example
 * const vector = openSparseVector(setting, bits);
 * vector.ask({ value: count, threshold: 100n }) // => { above: false }, say
 */
export function openSparseVector(setting: SparseVectorSetting, bits: BitSource): SparseVector {
  const scales = sparseVectorScales(setting);
  const [threshold, comparison] = [discreteLaplace(scales.threshold), discreteLaplace(scales.comparison)];
  const number = scales.number && discreteLaplace(scales.number);
  return sparseVectorWith(setting.cap, {
    threshold: () => threshold.sample(bits),
    comparison: () => comparison.sample(bits),
    number: number && (() => number.sample(bits)),
  });
}

/** The same from given draws: what the proof speaks of, and what the tests enumerate. */
export function sparseVectorWith(cap: bigint, noise: SparseVectorNoise): SparseVector {
  const shift = noise.threshold();
  let left = cap;
  return {
    get left() {
      return left;
    },
    ask({ value, threshold = 0n, number = value }) {
      if (typeof threshold !== "bigint") throw invalidParameter("threshold", threshold, "an integer");
      if (!(left > 0n)) throw spent(cap);
      const above = total(value) + noise.comparison() >= threshold + shift;
      if (!above) return { above };
      left -= 1n;
      return noise.number ? { above, number: total(number) + noise.number() } : { above };
    },
  };
}

/** Returns the value, or 0 where it is not an integer: an error would depend on the data. */
function total(value: bigint): bigint {
  return typeof value === "bigint" ? value : 0n;
}

function spent(cap: bigint): LetheError {
  return new LetheError("mechanism.spent", `the sparse vector has answered "above" ${cap} times`, {
    fix: "open a new sparse vector at a new charge, with a larger cap",
    fields: { cap: cap.toString() },
  });
}
