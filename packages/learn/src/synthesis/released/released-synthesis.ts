import { type MergedValues, sizesOf, unmerged } from "../domain/index.ts";
import { combined, estimate, type Measurement } from "../inference/index.ts";
import { type Learned, passes, type SynthesisPlan } from "../plan/index.ts";
import { residualModel } from "../residuals/index.ts";

/** What a synthesis measured, as JSON: all that its model follows from. */
export interface ReleasedSynthesis {
  readonly version: 1;
  /** For each attribute the merged place of every value; null where no values are merged. */
  readonly merged: readonly (readonly number[] | null)[];
  readonly measurements: readonly ReleasedTable[];
}

/** A noisy table over merged values. */
export interface ReleasedTable {
  readonly attributes: readonly number[];
  /** Noisy counts, the last attribute fastest. */
  readonly values: readonly number[];
  /** Of each cell's noise; one number where all are alike. */
  readonly variances: number | readonly number[];
}

/** Returns the measurements as JSON, tables that were measured twice as one. The model is left out: it is larger, and follows from them. */
export function releasedSynthesis({ merged, measurements }: Learned): ReleasedSynthesis {
  return {
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

/**
 * Fits the model to released measurements: the same for everyone who does it, and at no charge.
 * @example learnedFrom(releasedSynthesis(await synthesize(plan, source)), plan)
 */
export function learnedFrom(
  { merged, measurements }: ReleasedSynthesis,
  { domain, method }: Pick<SynthesisPlan, "domain" | "method">,
): Learned {
  const all = sizesOf(domain).map((size, at): MergedValues => {
    const places = merged[at] ?? null;
    return places === null ? unmerged(size) : { places: Int32Array.from(places), size: sizeOf(places) };
  });
  const known = measurements.map(({ attributes, values, variances }): Measurement => {
    const given = Float64Array.from(values);
    return {
      attributes,
      values: given,
      variances: typeof variances === "number" ? given.map(() => variances) : Float64Array.from(variances),
    };
  });
  const sizes = all.map(({ size }) => size);
  const model =
    method === "residuals"
      ? residualModel(sizes, known)
      : estimate(sizes, known, { steps: passes.last }).model;
  return { model, merged: all, measurements: known };
}

function sizeOf(places: readonly number[]): number {
  return places.reduce((most, place) => Math.max(most, place + 1), 0);
}
