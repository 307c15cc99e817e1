import { invalidParameter } from "../errors/lethe-error.ts";
import type { Adjacency } from "./measures/adjacency.ts";
import type { SamplingScheme } from "./measures/sampling-scheme.ts";

/** A pairing of sample and neighbours that has a theorem. */
export interface ProvenSample {
  readonly pairing: "poisson" | "poisson-replace" | "without-replacement";
  /** The chance that a given unit is sampled, never too small. */
  readonly rate: number;
}

/**
 * Poisson samples with either adjacency, samples without replacement with replace-one; null for what has no theorem here, as cut samples.
 * Errors: parameter.invalid for a rate outside [0, 1], or counts that are not integers 0 ≤ sample ≤ population, population ≥ 1.
 */
export function provenSample(scheme: SamplingScheme, adjacency: Adjacency): ProvenSample | null {
  if (scheme.kind === "poisson") {
    if (!(scheme.rate >= 0 && scheme.rate <= 1)) throw invalidParameter("rate", scheme.rate, "in [0, 1]");
    return { pairing: adjacency === "replace-one" ? "poisson-replace" : "poisson", rate: scheme.rate };
  }
  // What a cut changes is no rate: it is known as a pair, or as a distance of the whole run.
  if (scheme.kind === "truncated-poisson") return null;
  const { population, sample } = scheme;
  if (!(Number.isSafeInteger(population) && population >= 1)) {
    throw invalidParameter("population", population, "an integer ≥ 1");
  }
  if (!(Number.isSafeInteger(sample) && sample >= 0 && sample <= population)) {
    throw invalidParameter("sample", sample, "an integer from 0 to the population");
  }
  const rate = Math.min(1, sample === population ? 1 : (sample / population) * (1 + 2 ** -52));
  return adjacency === "replace-one" ? { pairing: "without-replacement", rate } : null;
}
