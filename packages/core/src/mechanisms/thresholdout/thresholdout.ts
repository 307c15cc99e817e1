import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import { divide, type Rational, ratio } from "../../numeric/rational.ts";
import { laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import { checkRange, clampTo, type PublicRange } from "../geometric/public-range.ts";
import {
  openSparseVector,
  type SparseVector,
  type SparseVectorSetting,
  sparseVectorErrorBound,
  sparseVectorEvent,
  sparseVectorFor,
  sparseVectorScales,
} from "../sparse-vector/index.ts";

/** A reusable holdout. Plain public data; what it protects is the holdout, each of its records one unit. */
export interface ThresholdoutSetting {
  /** The range of the value of one record, for every question (grid units). */
  readonly range: PublicRange;
  /** Records of the holdout: public, so that neighbours replace one record; ≥ 1. */
  readonly holdoutSize: bigint;
  /** The most that the two sums may differ before the holdout's own is released (grid units, as a sum over the holdout); ≥ 0. */
  readonly threshold: bigint;
  /** The sparse vector that is charged: its cap is the budget of overfits, its sensitivity at least the width of the range. */
  readonly vector: SparseVectorSetting;
}

/** The answer to one question, as a sum over the holdout's records (grid units): divide by its size for a mean. */
export interface ThresholdoutAnswer {
  /** The set that the sum is of: "training" is exact and scaled to the holdout's size; "holdout" is noisy. */
  readonly from: "training" | "holdout";
  readonly sum: bigint;
}

/** An opened, paid holdout. */
export interface Thresholdout {
  /** Overfits that can still be told. Public. */
  readonly left: bigint;
  /**
   * One question, asked of every record of both sets: its values there. The training set is not protected.
   * Errors: mechanism.spent after the last paid overfit; parameter.invalid for an empty training set.
   */
  ask(training: readonly bigint[], holdout: readonly bigint[]): ThresholdoutAnswer;
}

/**
 * A holdout that tells `overfits` of them at cost ε: `numberShare` of it (1/3 unless stated) to the sums told.
 * Errors: parameter.invalid unless lo < hi, holdoutSize ≥ 1, threshold ≥ 0, overfits ≥ 1, ε > 0, 0 < numberShare < 1.
 */
export function thresholdoutFor(request: {
  readonly range: PublicRange;
  readonly holdoutSize: bigint;
  readonly threshold: bigint;
  readonly overfits: bigint;
  readonly epsilon: Rational;
  readonly numberShare?: Rational;
}): ThresholdoutSetting {
  const { range, holdoutSize, threshold, overfits, epsilon, numberShare = ratio(1n, 3n) } = request;
  checkRange(range);
  const vector = sparseVectorFor({
    epsilon,
    sensitivity: range.hi - range.lo,
    cap: overfits,
    monotone: false,
    numberShare,
  });
  const setting = { range, holdoutSize, threshold, vector };
  check(setting);
  return setting;
}

/** Returns the scale of the noise of the sums told. */
function check({ range, holdoutSize, threshold, vector }: ThresholdoutSetting): Rational {
  checkRange(range);
  if (!(typeof holdoutSize === "bigint" && holdoutSize >= 1n)) {
    throw invalidParameter("holdoutSize", holdoutSize, "an integer ≥ 1");
  }
  if (!(typeof threshold === "bigint" && threshold >= 0n)) {
    throw invalidParameter("threshold", threshold, "an integer ≥ 0");
  }
  const { number } = sparseVectorScales(vector);
  if (number === null) throw invalidParameter("numberEpsilon", vector.numberEpsilon, "> 0");
  if (!(vector.sensitivity >= range.hi - range.lo)) {
    throw invalidParameter("sensitivity", vector.sensitivity, "at least hi − lo");
  }
  if (vector.monotone) throw invalidParameter("monotone", true, "false: a distance is not monotone");
  return number;
}

/**
 * Returns the event of the holdout for its whole life, charged before the first question; for neighbours that replace one record of it.
 * Source: Dwork, Feldman, Hardt, Pitassi, Reingold & Roth 2015 (Thresholdout, C §1 T4), with the accounting of Lyu, Su & Li 2017.
 * Direction: exact.
 * Errors: parameter.invalid.
 */
export function thresholdoutEvent(setting: ThresholdoutSetting): EventOf<"pure"> {
  check(setting);
  return { ...sparseVectorEvent(setting.vector), of: "thresholdout" };
}

/**
 * Opens a holdout that was charged with {@link thresholdoutEvent}. Each question is answered from the training set unless
 * |holdout's sum − training's| + noise passes the noisy threshold. Proof: ./thresholdout.proof.md
 * Errors: parameter.invalid.
 * @example openThresholdout(setting, bits).ask(valuesOnTraining, valuesOnHoldout) // => { from: "training", sum: 512n }, say
 */
export function openThresholdout(setting: ThresholdoutSetting, bits: BitSource): Thresholdout {
  check(setting);
  return thresholdoutWith(setting, openSparseVector(setting.vector, bits));
}

/** The same over a given sparse vector: what the tests enumerate. */
export function thresholdoutWith(setting: ThresholdoutSetting, vector: SparseVector): Thresholdout {
  const { range, holdoutSize, threshold } = setting;
  const sumOf = (values: readonly bigint[]): bigint =>
    values.reduce((total, value) => total + clampTo(value, range), 0n);
  return {
    get left() {
      return vector.left;
    },
    ask(training, holdout) {
      if (!(training.length > 0)) throw invalidParameter("training", "no records", "a list of at least one");
      const scaled = nearest(sumOf(training) * holdoutSize, BigInt(training.length));
      // Exactly holdoutSize records, whatever comes, so that two holdouts never differ in more than the replaced one.
      const taken = holdout.length > holdoutSize ? holdout.slice(0, Number(holdoutSize)) : holdout;
      const held = sumOf(taken) + (holdoutSize - BigInt(taken.length)) * range.lo;
      const apart = held > scaled ? held - scaled : scaled - held;
      const { above, number } = vector.ask({ value: apart, threshold, number: held });
      if (!above) return { from: "training", sum: scaled };
      if (number === undefined)
        throw invalidParameter("vector", "one without numbers", "one that tells them");
      const [least, most] = [range.lo * holdoutSize, range.hi * holdoutSize];
      return { from: "holdout", sum: clampTo(number, { lo: least, hi: most }) };
    },
  };
}

/** num/den rounded to the nearest integer, halves up; den > 0. */
function nearest(num: bigint, den: bigint): bigint {
  const doubled = 2n * num + den;
  const quotient = doubled / (2n * den);
  return doubled < 0n && quotient * 2n * den !== doubled ? quotient - 1n : quotient;
}

/**
 * r such that with probability ≥ 1 − beta every one of the first `questions` answers is within r of the holdout's true sum.
 * Source: Dwork et al. 2015, from the exact integer tails by a union bound.
 * Direction: upper.
 * Errors: parameter.invalid.
 */
export function thresholdoutErrorBound(
  setting: ThresholdoutSetting,
  questions: bigint,
  beta: Rational,
): bigint {
  const scale = check(setting);
  const half = divide(beta, ratio(2n));
  const compared = setting.threshold + sparseVectorErrorBound(setting.vector, questions, half);
  const told = laplaceErrorBound(scale, divide(half, ratio(setting.vector.cap)));
  return compared > told ? compared : told;
}
