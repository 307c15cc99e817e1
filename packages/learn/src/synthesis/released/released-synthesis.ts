import { type MergedValues, sizesOf, unmerged } from "../domain/index.ts";
import { combined, combinedResiduals, type Measurement, type NoisyResidual } from "../inference/index.ts";
import type { SynthesisPlan } from "../plan/index.ts";
import type { Measured } from "../sampling/index.ts";

/** What a synthesis measured, as JSON: all that its model follows from. */
export interface ReleasedSynthesis {
  readonly version: 1;
  /** For each attribute the merged place of every value; null where no values are merged. */
  readonly merged: readonly (readonly number[] | null)[];
  readonly measurements: readonly ReleasedTable[];
  /** Left out where none was measured by itself. */
  readonly residuals?: readonly ReleasedResidual[];
}

/** The noisy contrasts of a residual over merged values. */
export interface ReleasedResidual {
  readonly attributes: readonly number[];
  /** One for each product of contrasts of the attributes, the last attribute fastest. */
  readonly values: readonly number[];
  /** Of the residual's noise along each of its directions. */
  readonly variance: number;
}

/** A noisy table over merged values. */
export interface ReleasedTable {
  readonly attributes: readonly number[];
  /** Noisy counts, the last attribute fastest. */
  readonly values: readonly number[];
  /** Of each cell's noise; one number where all are alike. */
  readonly variances: number | readonly number[];
}

/** Returns the measurements as JSON, what was measured twice as one. The law is left out: it is larger, and follows from them. */
export function releasedSynthesis({ merged, measurements, residuals }: Measured): ReleasedSynthesis {
  return {
    ...(residuals.length > 0 ? { residuals: combinedResiduals(residuals).map(releasedResidual) } : {}),
    version: 1,
    merged: merged.map(({ places, size }) => (size === places.length ? null : [...places])),
    measurements: combined(measurements).map(({ attributes, values, variances }) => {
      const first = variances[0] ?? 0;
      return {
        attributes: [...attributes],
        values: [...values],
        variances: variances.every((variance) => variance === first) ? first : [...variances],
      };
    }),
  };
}

function releasedResidual({ attributes, values, variance }: NoisyResidual): ReleasedResidual {
  return { attributes: [...attributes], values: [...values], variance };
}

/**
 * Reads what was measured back from its release.
 * @example learnedFrom(measuredFrom(releasedSynthesis(await synthesize(plan, source)), plan), plan)
 */
export function measuredFrom(
  { merged, measurements, residuals = [] }: ReleasedSynthesis,
  { domain }: Pick<SynthesisPlan, "domain">,
): Measured {
  return {
    merged: sizesOf(domain).map((size, at): MergedValues => {
      const places = merged[at] ?? null;
      return places === null ? unmerged(size) : { places: Int32Array.from(places), size: sizeOf(places) };
    }),
    measurements: measurements.map(({ attributes, values, variances }): Measurement => {
      const given = Float64Array.from(values);
      return {
        attributes,
        values: given,
        variances: typeof variances === "number" ? given.map(() => variances) : Float64Array.from(variances),
      };
    }),
    residuals: residuals.map(({ attributes, values, variance }): NoisyResidual => {
      return { attributes, values: Float64Array.from(values), variance };
    }),
  };
}

function sizeOf(places: readonly number[]): number {
  return places.reduce((most, place) => Math.max(most, place + 1), 0);
}
