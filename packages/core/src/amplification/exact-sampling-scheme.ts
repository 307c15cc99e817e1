import { invalidParameter } from "../errors/lethe-error.ts";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import { compare, one, type Rational, ratio, zero } from "../numeric/rational.ts";

/** The way in which units come into a sample, with exact numbers: a SamplingScheme for accounts instead of calculators. */
export type ExactSamplingScheme =
  /** Each unit independently with probability `rate` ∈ [0, 1]. */
  | { readonly kind: "poisson"; readonly rate: Rational }
  /** A uniformly random set of exactly `sample` of `population` units. */
  | { readonly kind: "without-replacement"; readonly population: bigint; readonly sample: bigint };

/**
 * The probability that one given unit is sampled: the rate, or sample/population.
 * Source: definition.
 * Direction: exact.
 * Errors: parameter.invalid outside the scheme's domain.
 */
export function samplingRate(scheme: ExactSamplingScheme): Rational {
  if (scheme.kind === "poisson") {
    if (!(compare(scheme.rate, zero) >= 0 && compare(scheme.rate, one) <= 0)) {
      throw invalidParameter("rate", `${scheme.rate.num}/${scheme.rate.den}`, "in [0, 1]");
    }
    return scheme.rate;
  }
  if (!(scheme.population >= 1n)) throw invalidParameter("population", scheme.population, "at least 1");
  if (!(scheme.sample >= 0n && scheme.sample <= scheme.population)) {
    throw invalidParameter("sample", scheme.sample, "from 0 to the population");
  }
  return ratio(scheme.sample, scheme.population);
}

/** The refusal of a sample without replacement under add-or-remove-one: the population's size is public there. */
export function unprovenPairing(kind: string, adjacency: Adjacency): Error {
  return invalidParameter(
    "adjacency",
    adjacency,
    `one for which ${kind} sampling has a proof: replace-one for samples without replacement`,
  );
}
