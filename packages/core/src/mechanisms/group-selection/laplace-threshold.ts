import { expBracket } from "../../numeric/bracket.ts";
import { add, ceilTo, divide, one, type Rational, ratio, toDouble } from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { integer, positive } from "../parameters.ts";
import { approximateLosses } from "./approximate-losses.ts";
import type { SelectionMechanism } from "./selection-mechanism.ts";
import { tailBits } from "./tail-bits.ts";

/**
 * δ of keeping a group of one unit: P[1 + Z ≥ threshold] = q^(threshold−1)/(1+q), q = e^(−1/scale), for the discrete
 * Laplace Z that is drawn; threshold ≥ 1. Rounded up at a relative 2^-60.
 * Source: the tail of the noise that is drawn; thresholds after Korolova, Kenthapadi, Mishra & Ntoulas 2009.
 * Direction: exact, rounded up.
 */
export function laplaceThresholdDelta(scale: Rational, threshold: bigint): Rational {
  const exponent = divide(ratio(threshold - 1n), scale);
  const bits = tailBits(Math.LOG2E * toDouble(exponent, "up"));
  const reach = expBracket(ratio(-exponent.num, exponent.den), bits).hi;
  const q = expBracket(ratio(-scale.den, scale.num), bits).lo;
  return ceilTo(divide(reach, add(one, q)), 1n << BigInt(bits));
}

/** Keep when n + Z ≥ threshold, Z discrete Laplace of the given scale. A group: (1/scale, δ of a group of one). */
export const laplaceThreshold: SelectionMechanism<"laplace-threshold"> = {
  losses(rule, groups) {
    const scale = positive(rule.scale, "scale");
    const group = {
      measure: "approximate",
      epsilon: divide(one, scale),
      delta: laplaceThresholdDelta(scale, integer(rule.threshold, "threshold", 1n)),
    } as const;
    return approximateLosses(group, groups);
  },
  keeper(rule) {
    const noise = discreteLaplace(positive(rule.scale, "scale"));
    const threshold = integer(rule.threshold, "threshold", 1n);
    return (n, bits) => n + noise.sample(bits) >= threshold;
  },
  probability(rule, n) {
    const scale = toDouble(positive(rule.scale, "scale"), "down");
    const gap = Number(integer(rule.threshold, "threshold", 1n) - n);
    const beyond = (k: number): number => Math.exp(-k / scale) / (1 + Math.exp(-1 / scale)); // P[Z ≥ k], k ≥ 0
    return gap >= 0 ? beyond(gap) : 1 - beyond(1 - gap);
  },
  halfway: (rule) => integer(rule.threshold, "threshold", 1n),
};
