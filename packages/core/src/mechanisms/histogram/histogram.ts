import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import { divide, type Rational, ratio } from "../../numeric/rational.ts";
import { type GaussianBudget, gaussianFor } from "../gaussian/gaussian-for.ts";
import { checkAlpha } from "../geometric/laplace-error-bound.ts";
import { laplaceFor } from "../laplace/laplace-for.ts";
import type { Noise } from "../noise.ts";
import { noiseEvent, noiseSampler } from "../registry.ts";
import { type CountedUnits, countSensitivity } from "./counted-units.ts";
import { noiseErrorBound } from "./noise-error-bound.ts";

/** The most bins or cells that one release holds. */
export const mostBins: number = 1 << 22;

/** Counts of a public list of bins that share no row. Plain public data. */
export interface HistogramSetting extends CountedUnits {
  readonly bins: number;
  readonly noise: Noise;
}

/** The budget of counts: pure ε by discrete Laplace noise, or a Gaussian budget by rounded Gaussian noise. */
export type CountBudget = { readonly epsilon: Rational; readonly delta?: undefined } | GaussianBudget;

/** The noise of the budget at a sensitivity. Errors: parameter.invalid. */
export function countNoise(
  { l1, l2Squared }: { readonly l1: bigint; readonly l2Squared: bigint },
  budget: CountBudget,
): Noise {
  if ("epsilon" in budget && budget.delta === undefined) return laplaceFor({ l1, epsilon: budget.epsilon });
  return gaussianFor({ l2Squared, ...(budget as GaussianBudget) });
}

/**
 * One noisy histogram at the whole budget: k disjoint counts cost what one does.
 * Errors: parameter.invalid unless 1 ≤ bins ≤ 2^22, the units and the budget are in their domains.
 * @example histogramFor({ bins: 12, adjacency: "add-or-remove-one", budget: { epsilon: one } }).noise // scale "1"
 */
export function histogramFor(
  request: CountedUnits & { readonly bins: number; readonly budget: CountBudget },
): HistogramSetting {
  const { budget, ...units } = request;
  const setting = { ...units, noise: countNoise(countSensitivity(units), budget) };
  check(setting);
  return setting;
}

function check({ bins }: HistogramSetting): void {
  if (!(Number.isInteger(bins) && bins >= 1 && bins <= mostBins)) {
    throw invalidParameter("bins", bins, `an integer from 1 to ${mostBins}`);
  }
}

/**
 * Returns the event of the whole histogram: its noise at the sensitivity of all counts together.
 * Source: D (Δ = 1).
 * Direction: exact.
 * Errors: parameter.invalid.
 */
export function histogramEvent(setting: HistogramSetting): Event {
  check(setting);
  return noiseEvent(setting.noise, countSensitivity(setting));
}

/**
 * Every bin's count plus its own draw. Total: a missing or surplus bin of the data counts as 0 or is left out.
 * Errors: parameter.invalid, of the setting alone; internal.invariant for constant@1, which is no noise.
 * @example releaseHistogram(setting, [12n, 0n, 7n], bits) // => [11n, 2n, 7n], say
 */
export function releaseHistogram(
  setting: HistogramSetting,
  counts: readonly bigint[],
  bits: BitSource,
): bigint[] {
  histogramEvent(setting); // refuses noise that prices nothing
  const noise = noiseSampler(setting.noise);
  return Array.from({ length: setting.bins }, (_, i) => {
    const count: unknown = counts[i];
    return (typeof count === "bigint" ? count : 0n) + noise.sample(bits);
  });
}

/**
 * The half-width of an interval around every noisy count: each holds its true count with probability ≥ 1 − alpha, or all together
 * where `simultaneous`.
 * Source: the tails of the drawn noise; A Cor 2.3 by a union bound.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 < alpha < 1.
 */
export function histogramErrorBound(
  setting: HistogramSetting,
  alpha: Rational,
  { simultaneous = false }: { readonly simultaneous?: boolean } = {},
): bigint {
  check(setting);
  checkAlpha(alpha);
  return noiseErrorBound(setting.noise, simultaneous ? divide(alpha, ratio(BigInt(setting.bins))) : alpha);
}
