import { invalidParameter } from "../../../errors/lethe-error.ts";
import { logSumExp } from "../../../numeric/special/log-space.ts";
import { checkOrder, type RenyiCurve, roundedUp } from "./renyi-curve.ts";

/** One of several mechanisms and how often the public coins choose it. */
export interface MixedPart {
  readonly weight: number;
  readonly curve: RenyiCurve;
}

/**
 * One of several mechanisms, drawn by public coins: E_Q[(P/Q)^α] is the average, so
 *   D_α = log Σ wᵢ·e^((α−1)·D_α,ᵢ) / (α − 1).
 * Source: van Erven & Harremoës 2014, Thm 13 (joint quasi-convexity; C Lemma 6).
 * Direction: upper
 * Errors: parameter.invalid unless there are parts and the weights are ≥ 0 with sum 1 (within 1e-9).
 * @example mixedRenyi([{ weight: 0.5, curve: gaussianRenyi(1) }, { weight: 0.5, curve: gaussianRenyi(0) }]).at(2)
 */
export function mixedRenyi(parts: readonly MixedPart[]): RenyiCurve {
  const drawn = parts.filter(({ weight }) => weight !== 0);
  const sum = drawn.reduce((total, { weight }) => (weight > 0 ? total + weight : Number.NaN), 0);
  if (!(Math.abs(sum - 1) <= 1e-9)) throw invalidParameter("weights", sum, "≥ 0 with sum 1");
  const losses = drawn.map(({ curve }) => curve.maxLoss);
  const maxLoss = losses.every((loss) => loss !== undefined) ? Math.max(...(losses as number[])) : undefined;
  return {
    id: `mix(${drawn.map(({ weight, curve }) => `${weight}: ${curve.id}`).join(", ")})`,
    tight: false,
    ...(maxLoss === undefined ? {} : { maxLoss }),
    at(order) {
      checkOrder(order);
      const each = drawn.map(({ weight, curve }) => ({ weight, divergence: curve.at(order) }));
      const largest = Math.max(...each.map(({ divergence }) => divergence));
      if (!(largest > 0) || largest === Number.POSITIVE_INFINITY) return largest;
      const excess = order - 1;
      const mean =
        excess * largest < 0.5
          ? Math.log1p(
              each.reduce(
                (total, { weight, divergence }) => total + weight * Math.expm1(excess * divergence),
                0,
              ),
            )
          : logSumExp(each.map(({ weight, divergence }) => Math.log(weight) + excess * divergence)) + 2e-15;
      return Math.min(largest, roundedUp((mean + Math.max(0, Math.log(1 / sum))) / excess));
    },
  };
}
