import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import { type RationalInput, rationalOf } from "../../numeric/exact-input.ts";
import { divide, parseRational, type Rational, ratio, toText } from "../../numeric/rational.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import { laplaceErrorBound } from "./laplace-error-bound.ts";
import { checkRange, clampTo, type PublicRange } from "./public-range.ts";
import { truncatedLaplace } from "./truncated-laplace.ts";

/** The widest range, in steps: a draw takes linear time and memory in it. */
export const widestGeometricRange: bigint = 1n << 20n;

/** A number of a public range, answered within the range. */
export interface BoundedGeometric extends PublicRange {
  /** The scale of the discrete Laplace law, in steps: an exact text. */
  readonly scale: string;
  /** The most by which the number differs between neighbours; ≥ 1. */
  readonly sensitivity: bigint;
}

function scaleOf(setting: BoundedGeometric): Rational {
  checkRange(setting, widestGeometricRange);
  if (!(setting.sensitivity >= 1n)) {
    throw invalidParameter("sensitivity", setting.sensitivity, "an integer ≥ 1");
  }
  const scale = parseRational(setting.scale, "scale");
  checkPositive("scale", scale);
  return scale;
}

/**
 * The bounded geometric mechanism that costs ε.
 * Errors: parameter.invalid unless lo ≤ hi ≤ lo + 2^20, sensitivity ≥ 1 and ε > 0.
 * @example boundedGeometricFor({ lo: 0n, hi: 100n, sensitivity: 1n, epsilon: ratio(1n, 2n) }).scale // => "2"
 */
export function boundedGeometricFor(
  request: PublicRange & { readonly sensitivity: bigint; readonly epsilon: RationalInput },
): BoundedGeometric {
  const epsilon = rationalOf(request.epsilon, "epsilon");
  checkPositive("epsilon", epsilon);
  const { lo, hi, sensitivity } = request;
  const scale = toText(divide(ratio(sensitivity), epsilon));
  const setting = { lo, hi, sensitivity, scale };
  scaleOf(setting);
  return setting;
}

/** Returns the event of its discrete Laplace noise; clamping is post-processing and costs nothing. Errors: parameter.invalid. */
export function boundedGeometricEvent(setting: BoundedGeometric): EventOf<"laplace"> {
  scaleOf(setting);
  return { kind: "laplace", version: 1, scale: setting.scale, l1: setting.sensitivity.toString() };
}

/**
 * value ↦ clamp(value + Z) with P[Z = z] ∝ e^(−|z|/scale), where the ends collect the tails. Work and coins depend on the
 * range alone.
 * Source: Ghosh, Roughgarden & Sundararajan 2009 (the truncated geometric); Balcer & Vadhan 2018 (bounded time).
 * Direction: exact.
 * Errors: parameter.invalid, when it is made; none when it draws.
 * @example boundedGeometric(boundedGeometricFor({ lo: 0n, hi: 9n, sensitivity: 1n, epsilon: one }))(4n, bits) // => 5n, say
 */
export function boundedGeometric(setting: BoundedGeometric): (value: bigint, bits: BitSource) => bigint {
  const draw = truncatedLaplace(scaleOf(setting), Number(setting.hi - setting.lo));
  const range = { lo: setting.lo, hi: setting.hi };
  return (value, bits) => clampTo(clampTo(value, range) + draw(bits), range);
}

/**
 * The least r with |answer − value| ≤ r with probability ≥ 1 − alpha, for every value in the range.
 * Source: Dwork & Roth 2014, Fact 3.7, from the mass function that is drawn.
 * Direction: exact.
 */
export function boundedGeometricErrorBound(setting: BoundedGeometric, alpha: Rational): bigint {
  const reach = laplaceErrorBound(scaleOf(setting), alpha);
  const width = setting.hi - setting.lo;
  return reach < width ? reach : width;
}
