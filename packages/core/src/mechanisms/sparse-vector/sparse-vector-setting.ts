import { greatestTrue } from "../../conversions/search/search.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import {
  add,
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  sum,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import { laplaceErrorBound } from "../geometric/laplace-error-bound.ts";

/** A sparse vector, paid for at its opening. ε are exact texts. Plain public data. */
export interface SparseVectorSetting {
  /** ε₁: what the noise on the threshold costs. */
  readonly thresholdEpsilon: string;
  /** ε₂: what all comparisons together cost. */
  readonly comparisonEpsilon: string;
  /** ε₃: what all numbers given with "above" cost together; "0" gives none. */
  readonly numberEpsilon: string;
  /** Δ: how far neighbours move any question's value, at most; ≥ 1. */
  readonly sensitivity: bigint;
  /** c: after so many answers "above" it is spent; ≥ 1. */
  readonly cap: bigint;
  /** Whether between two neighbours all values move the same way, as counts do when one unit is added. */
  readonly monotone: boolean;
}

/** The scales of its three noises; number is null where none are given. */
export interface SparseVectorScales {
  readonly threshold: Rational;
  readonly comparison: Rational;
  readonly number: Rational | null;
}

/** Errors: parameter.invalid unless ε₁, ε₂ > 0, ε₃ ≥ 0, Δ ≥ 1, c ≥ 1. */
export function sparseVectorScales(setting: SparseVectorSetting): SparseVectorScales {
  const { sensitivity, cap } = setting;
  if (!(typeof sensitivity === "bigint" && sensitivity >= 1n)) {
    throw invalidParameter("sensitivity", sensitivity, "an integer ≥ 1");
  }
  if (!(typeof cap === "bigint" && cap >= 1n)) throw invalidParameter("cap", cap, "an integer ≥ 1");
  const [threshold, comparison, number] = epsilons(setting);
  checkPositive("thresholdEpsilon", threshold);
  checkPositive("comparisonEpsilon", comparison);
  if (!(number.num >= 0n)) throw invalidParameter("numberEpsilon", setting.numberEpsilon, "≥ 0");
  const both = setting.monotone === true ? 1n : 2n;
  return {
    threshold: divide(ratio(sensitivity), threshold),
    comparison: divide(ratio(both * cap * sensitivity), comparison),
    number: number.num === 0n ? null : divide(ratio(cap * sensitivity), number),
  };
}

function epsilons(setting: SparseVectorSetting): [Rational, Rational, Rational] {
  return [
    parseRational(setting.thresholdEpsilon, "thresholdEpsilon"),
    parseRational(setting.comparisonEpsilon, "comparisonEpsilon"),
    parseRational(setting.numberEpsilon, "numberEpsilon"),
  ];
}

/**
 * Returns the event of the whole sparse vector, charged before its first question: (ε₁ + ε₂ + ε₃)-DP, however many answers are "below".
 * Source: Lyu, Su & Li 2017, Alg. 7 and Thm 5 (Alg. 1 where ε₃ = 0); with integer noise, ./sparse-vector.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid.
 */
export function sparseVectorEvent(setting: SparseVectorSetting): EventOf<"pure"> {
  sparseVectorScales(setting);
  return { kind: "pure", version: 1, epsilon: toText(sum(epsilons(setting))), of: "sparse-vector" };
}

/**
 * Divides ε so that the variance of a comparison is least: ε₁ : ε₂ = 1 : (2c)^(2/3), or 1 : c^(2/3) for monotone values; of
 * the whole, `numberShare` (0 unless stated) goes to the numbers.
 * Source: Lyu, Su & Li 2017, Sec. 4.2.
 * Direction: exact.
 * Errors: parameter.invalid unless ε > 0, 0 ≤ numberShare < 1, Δ ≥ 1, c ≥ 1.
 * @example sparseVectorFor({ epsilon: one, sensitivity: 1n, cap: 4n, monotone: false }).thresholdEpsilon // => "1/5"
 */
export function sparseVectorFor(request: {
  readonly epsilon: Rational;
  readonly sensitivity: bigint;
  readonly cap: bigint;
  readonly monotone: boolean;
  readonly numberShare?: Rational;
}): SparseVectorSetting {
  const { epsilon, sensitivity, cap, monotone, numberShare = zero } = request;
  checkPositive("epsilon", epsilon);
  if (!(compare(numberShare, zero) >= 0 && compare(numberShare, one) < 0)) {
    throw invalidParameter("numberShare", toText(numberShare), "at least 0 and below 1");
  }
  if (!(typeof cap === "bigint" && cap >= 1n)) throw invalidParameter("cap", cap, "an integer ≥ 1");
  const numbers = multiply(epsilon, numberShare);
  const rest = subtract(epsilon, numbers);
  const times = monotone === true ? cap : 2n * cap;
  const cubed = times * times * 10n ** 9n;
  const thousandths = greatestTrue(1000n, (k) => k * k * k <= cubed);
  const threshold = divide(rest, add(one, ratio(thousandths, 1000n)));
  const setting = {
    thresholdEpsilon: toText(threshold),
    comparisonEpsilon: toText(subtract(rest, threshold)),
    numberEpsilon: toText(numbers),
    sensitivity,
    cap,
    monotone: monotone === true,
  };
  sparseVectorScales(setting);
  return setting;
}

/**
 * r such that with probability ≥ 1 − beta none of the first `questions` answers is wrong by more than r: "above" has value ≥
 * threshold − r, "below" has value < threshold + r.
 * Source: Dwork & Roth 2014, Thm 3.24, by the union of exact integer tails.
 * Direction: upper.
 * Errors: parameter.invalid unless questions ≥ 1 and 0 < beta < 1.
 */
export function sparseVectorErrorBound(
  setting: SparseVectorSetting,
  questions: bigint,
  beta: Rational,
): bigint {
  if (!(typeof questions === "bigint" && questions >= 1n)) {
    throw invalidParameter("questions", questions, "an integer ≥ 1");
  }
  const { threshold, comparison } = sparseVectorScales(setting);
  const half = divide(beta, ratio(2n));
  return laplaceErrorBound(threshold, half) + laplaceErrorBound(comparison, divide(half, ratio(questions)));
}
