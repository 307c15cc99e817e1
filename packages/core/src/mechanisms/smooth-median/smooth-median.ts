import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import { expBracket, lnBracket } from "../../numeric/bracket.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import {
  add,
  ceilTo,
  compare,
  divide,
  floorTo,
  multiply,
  negate,
  one,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import { deltaText, laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import { clampTo } from "../geometric/public-range.ts";
import { tailBits } from "../group-selection/tail-bits.ts";
import { checkOrderStatistic, type OrderStatisticSetting, orderStatistic } from "./order-statistic.ts";
import { smoothLevel, smoothLevels } from "./smooth-levels.ts";

/** Replace-one neighbours; the number of rows is public. Plain public data; rationals are exact texts. */
export interface SmoothMedianSetting extends OrderStatisticSetting {
  /** α: the noise has scale level/α, in grid units. */
  readonly alpha: string;
  /** r: levels grow by a factor of at most 1 + r, as the level of one neighbour may against the other's. */
  readonly growth: string;
  /** t ≥ 1: noise beyond t scales is what δ pays for. */
  readonly cut: string;
}

interface Checked {
  readonly alpha: Rational;
  readonly growth: Rational;
  readonly cut: Rational;
  readonly levels: readonly Rational[];
}

function checked(setting: SmoothMedianSetting): Checked {
  checkOrderStatistic(setting);
  const alpha = parseRational(setting.alpha, "alpha");
  checkPositive("alpha", alpha);
  const cut = parseRational(setting.cut, "cut");
  if (!(compare(cut, one) >= 0)) throw invalidParameter("cut", setting.cut, "≥ 1");
  const growth = parseRational(setting.growth, "growth");
  return { alpha, growth, cut, levels: smoothLevels(growth, setting.range.hi - setting.range.lo) };
}

/**
 * The setting that costs at most (ε, δ): half of ε for the noise, half for its scale; t = ln(2/((1 + e^(−α))·δ)), r = ε/(2t).
 * Errors: parameter.invalid unless ε > 0, 2^-256 ≤ δ < 1 and there are at most 2^13 levels.
 * @example smoothMedianFor({ range: { lo: 0n, hi: 100_000n }, epsilon: one, delta: parseRational("1e-6") }).alpha // => "1/2"
 */
export function smoothMedianFor(
  request: OrderStatisticSetting & { readonly epsilon: Rational; readonly delta: Rational },
): SmoothMedianSetting {
  const { range, q = "1/2", epsilon, delta } = request;
  checkPositive("epsilon", epsilon);
  if (!(compare(delta, ratio(1n, 1n << 256n)) >= 0 && compare(delta, one) < 0)) {
    throw invalidParameter("delta", toText(delta), "at least 2^-256 and below 1");
  }
  const alpha = divide(epsilon, ratio(2n));
  const spread = divide(ratio(2n), multiply(delta, add(one, expBracket(negate(alpha), 80).lo)));
  const least = ceilTo(lnBracket(spread, 80).hi, 1n << 32n);
  const cut = compare(least, one) > 0 ? least : one;
  const growth = floorTo(divide(alpha, cut), 1n << 40n);
  const setting = { range, q, alpha: toText(alpha), growth: toText(growth), cut: toText(cut) };
  checked(setting);
  return setting;
}

/**
 * Returns the event of the smooth median, under replace-one: (α + r·t, 2·e^(−t)/(1 + e^(−α)))-DP.
 * Source: Nissim, Raskhodnikova & Smith 2007, Def. 2.5 and Lemma 2.6, for the discrete Laplace: ./smooth-median.proof.md.
 * Direction: upper.
 * Errors: parameter.invalid.
 */
export function smoothMedianEvent(setting: SmoothMedianSetting): EventOf<"approximate"> {
  const { alpha, growth, cut } = checked(setting);
  const bits = tailBits(Math.LOG2E * toDouble(cut, "up"));
  const far = expBracket(negate(cut), bits).hi;
  const delta = divide(multiply(ratio(2n), far), add(one, expBracket(negate(alpha), 80).lo));
  return {
    kind: "approximate",
    version: 1,
    epsilon: toText(add(alpha, multiply(growth, cut))),
    delta: deltaText(ceilTo(delta, 1n << BigInt(bits))),
    of: "smooth-median",
  };
}

/**
 * The order statistic plus discrete Laplace noise whose scale is its smooth sensitivity over α, clamped to the range. The scale
 * itself is data and is not told. Proof: ./smooth-median.proof.md
 * Errors: parameter.invalid, of the setting alone.
 */
export function releaseSmoothMedian(
  setting: SmoothMedianSetting,
  values: readonly bigint[],
  bits: BitSource,
): bigint {
  const { scale, value } = smoothMedianNoise(setting, values);
  return clampTo(value + discreteLaplace(scale).sample(bits), setting.range);
}

/** The value and the scale of its noise. This is the data: for tests and for studies of public data. */
export function smoothMedianNoise(
  setting: SmoothMedianSetting,
  values: readonly bigint[],
): { readonly value: bigint; readonly scale: Rational } {
  const { alpha, levels } = checked(setting);
  const statistic = orderStatistic(setting, values);
  return { value: statistic.value, scale: divide(elementAt(levels, smoothLevel(levels, statistic)), alpha) };
}

/**
 * r such that |answer − value| ≤ r with probability ≥ 1 − beta on a data set of this smooth sensitivity (grid units, a rational from
 * 1 to the width): what to expect of data like those. On the protected data it would be data.
 * Source: Dwork & Roth 2014, Fact 3.7, at the level's scale.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 < beta < 1 and the sensitivity lies in its domain.
 */
export function smoothMedianErrorBound(
  setting: SmoothMedianSetting,
  sensitivity: Rational,
  beta: Rational,
): bigint {
  const { alpha, levels } = checked(setting);
  const level = levels.find((each) => compare(each, sensitivity) >= 0);
  if (level === undefined || !(compare(sensitivity, zero) >= 0)) {
    throw invalidParameter("sensitivity", toText(sensitivity), "from 0 to the width of the range");
  }
  return laplaceErrorBound(divide(level, alpha), beta);
}
