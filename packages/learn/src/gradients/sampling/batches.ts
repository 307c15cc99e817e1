import type { TrainingDraws } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { refuse } from "./refusal.ts";
import type { Sampler } from "./sampler.ts";

/** The batches of a training, one a step: drawn in secret, and never told. */
export interface Batches {
  /** The places of the units that step `step` sees, counted from 0. An empty batch is a batch like another. */
  next(step: number): Uint32Array;
  /** Every unit's bin, where later steps need it; as secret as the batches. */
  bins(): Uint32Array | null;
}

/**
 * Draws the batches of so many units, from the first step or from a later one with the bins that were drawn before it.
 * Errors: parameter.invalid where bins are missing, or are of another number of units.
 */
export function openBatches(
  sampler: Sampler,
  units: number,
  draws: TrainingDraws,
  held: { readonly step: number; readonly bins: Uint32Array | null } = { step: 0, bins: null },
): Batches {
  if (sampler.kind === "poisson" || sampler.kind === "truncated-poisson") {
    const draw = draws.poisson(sampler.rate, sampler.kind === "poisson" ? null : sampler.limit);
    return { next: () => draw(units), bins: () => null };
  }
  if (sampler.kind === "full") {
    const all = Uint32Array.from({ length: units }, (_, place) => place);
    return { next: () => all, bins: () => null };
  }
  const draw = draws.bins(sampler.bins);
  const isNew = (step: number): boolean =>
    step === 0 || (sampler.kind === "balls-in-bins" && step % sampler.bins === 0);
  let bins: Uint32Array | null = null;
  if (!isNew(held.step)) {
    if (held.bins?.length !== units) {
      refuse({
        name: "bins",
        value: "others",
        condition: "those of the training that goes on, over the same units",
        fix: "go on with the data and the checkpoint of the same training",
      });
    }
    bins = held.bins.slice();
  }
  return {
    next(step) {
      if (bins === null || isNew(step)) bins = draw(units);
      return placesIn(bins, step % sampler.bins);
    },
    bins: () => bins?.slice() ?? null,
  };
}

function placesIn(bins: Uint32Array, bin: number): Uint32Array {
  const places: number[] = [];
  for (let place = 0; place < bins.length; place++) if (elementAt(bins, place) === bin) places.push(place);
  return Uint32Array.from(places);
}
