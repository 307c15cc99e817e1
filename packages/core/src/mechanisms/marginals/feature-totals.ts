import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { type Rational, ratio } from "../../numeric/rational.ts";
import { type GaussianBudget, gaussianFor } from "../gaussian/gaussian-for.ts";
import type { Noise } from "../noise.ts";
import { noiseEvent, noiseSampler } from "../registry.ts";
import { quantizeVector } from "../vector-noise/quantize.ts";
import { sumVectors } from "../vector-noise/sum-vectors.ts";
import { type BoundedNoise, boundedNoiseEvent, boundedNoiseFor, boundedSampler } from "./bounded-noise.ts";
import { type MaxNormNoise, maxNormEvent, maxNormNoiseFor, maxNormSampler } from "./max-norm-noise.ts";

/** Everything about a release of one-way marginals of real features, but the data and the coins. */
export interface FeaturePlan {
  /** d: every unit has this many numbers in [0, 1]. */
  readonly features: number;
  /** Numbers are rounded to multiples of 1/cells; 1 is for yes-or-no features. */
  readonly cells: number;
  readonly noise: Noise | MaxNormNoise | BoundedNoise;
}

const mostCells = 2 ** 30;

/**
 * The release of the d feature totals of units in [0, 1]ᵈ within a budget. Pure ε: max-norm noise, whose largest error over all d
 * features is O(d/ε); else Gaussian noise, whose typical error is O(√d). A unit moves every total by at most 1, added, removed or
 * replaced.
 * Source: C Prop 1, C Eq 12, C note 5. Proof: ./marginals.proof.md
 * Direction: exact for pure ε, upper for Gaussian (σ is rounded up).
 * Errors: parameter.invalid unless features and cells are integers ≥ 1, or for a budget that is not positive.
 * @example featureTotalsFor({ features: 10, cells: 1 }, { epsilon: ratio(1n) }).noise.mechanism // => "max-norm@1"
 */
export function featureTotalsFor(
  { features, cells }: { readonly features: number; readonly cells: number },
  budget: { readonly epsilon: Rational } | GaussianBudget,
): FeaturePlan {
  checkShape(features, cells);
  const linf = BigInt(cells);
  const noise =
    "epsilon" in budget && !("delta" in budget)
      ? maxNormNoiseFor({ dimension: features, linf, epsilon: budget.epsilon })
      : gaussianFor({ l2Squared: BigInt(features) * linf * linf, ...(budget as GaussianBudget) });
  return { features, cells, noise };
}

/**
 * The release whose errors are bounded for certain: no total is ever off by more than noise.reach. For approximate DP, from a
 * few hundred features on shorter than what the largest of d Gaussian errors reaches with good confidence.
 * `fits` says whether an event is within the budget; an accountant of finite pairs answers, such as
 * `(event) => account(event).delta(1).upper <= 1e-6`.
 * Source: Dagan & Kur 2022 (arXiv 2012.03817); C note 5. Proof: ./marginals.proof.md
 * Direction: upper (the noise that is found was let pass). Errors: parameter.invalid, also where no reach up to 4900 fits.
 */
export function boundedFeatureTotalsFor(
  { features, cells }: { readonly features: number; readonly cells: number },
  fits: (event: Event) => boolean,
): FeaturePlan {
  checkShape(features, cells);
  return { features, cells, noise: boundedNoiseFor({ coordinates: features, shift: cells, fits }) };
}

function checkShape(features: number, cells: number): void {
  if (!(Number.isSafeInteger(features) && features >= 1)) {
    throw invalidParameter("features", features, "an integer ≥ 1");
  }
  if (!(Number.isSafeInteger(cells) && cells >= 1 && cells <= mostCells)) {
    throw invalidParameter("cells", cells, `an integer from 1 to ${mostCells}`);
  }
}

/** The record of releasing the totals once. */
export function featureTotalsEvent({ features, cells, noise }: FeaturePlan): Event {
  const linf = BigInt(cells);
  if (noise.mechanism === "max-norm@1") return maxNormEvent(noise, linf);
  if (noise.mechanism === "bounded@1") {
    return boundedNoiseEvent(noise, { coordinates: features, shift: cells });
  }
  return noiseEvent(noise, { l1: BigInt(features) * linf, l2Squared: BigInt(features) * linf * linf });
}

/**
 * The noisy totals, in units of 1/cells. What is not a number counts as 0; everything is clamped to [0, 1].
 * Errors: parameter.invalid for a unit with another number of features.
 */
export function releaseFeatureTotals(
  plan: FeaturePlan,
  units: Iterable<ArrayLike<number>>,
  bits: BitSource,
): readonly bigint[] {
  const { features, cells, noise } = plan;
  const { total } = sumVectors(onGrid(units, cells), {
    dimension: features,
    clip: { norm: "box", lo: 0n, hi: BigInt(cells) },
    adjacency: "replace-one",
  });
  if (noise.mechanism === "max-norm@1") {
    const drawn = maxNormSampler(noise).sample(bits);
    return total.map((x, i) => x + elementAt(drawn, i));
  }
  const sampler = noise.mechanism === "bounded@1" ? boundedSampler(noise) : noiseSampler(noise);
  return total.map((x) => x + sampler.sample(bits));
}

function* onGrid(units: Iterable<ArrayLike<number>>, cells: number): Generator<readonly bigint[]> {
  const step = ratio(1n, BigInt(cells));
  for (const unit of units) yield quantizeVector(unit, step, "zero");
}

/**
 * The one-way marginals µ̂ ∈ ℝᵈ, clamped to [0, 1]: totals over the number of units. That number must be public, which it is
 * under replace-one alone; under add-or-remove-one ask for it privately.
 * Errors: parameter.invalid unless units is an integer ≥ 1.
 */
export function featureMeans(plan: FeaturePlan, totals: readonly bigint[], units: number): readonly number[] {
  if (!(Number.isSafeInteger(units) && units >= 1)) throw invalidParameter("units", units, "an integer ≥ 1");
  return totals.map((total) => Math.min(1, Math.max(0, Number(total) / plan.cells / units)));
}
