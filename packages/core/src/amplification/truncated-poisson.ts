import { invalidParameter } from "../errors/lethe-error.ts";
import { addUp, multiplyUp } from "../numeric/directed.ts";
import { binomialTail } from "./binomial.ts";
import { checkCount, checkEpsilon } from "./subsampled-epsilon.ts";
import type { ProfileBound } from "./subsampled-profile.ts";

/** A Poisson sample of at most `population` units, cut to `limit` of its units at random where it is larger. */
export interface TruncatedPoisson {
  readonly rate: number;
  readonly population: number;
  readonly limit: number;
}

/**
 * The total variation distance that cutting one sample can make: P[Bin(population, rate) > limit]. Under composition the
 * distances add up. Proof: ./truncated-poisson.proof.md
 * Source: Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang 2024 (arXiv 2411.04205), Sec. 3; by its own proof.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 ≤ rate ≤ 1 and both counts are whole numbers, limit ≥ 1.
 * @example truncationDistance({ rate: 0.01, population: 10_000, limit: 200 }) // => about 5e-20
 */
export function truncationDistance({ rate, population, limit }: TruncatedPoisson): number {
  checkCount("limit", limit, 1);
  return binomialTail(population, rate, limit);
}

/**
 * The δ of steps on cut samples, from the δ at the same ε of the same steps on uncut Poisson samples:
 *   δ + (1 + e^ε)·distance,  distance = the sum of {@link truncationDistance} over all steps.
 * Holds for both adjacencies as long as no neighbour has more than `population` units.
 * Source: Chua et al. 2024 (arXiv 2411.04205), Sec. 3; by its own proof.
 * Direction: upper.
 * Errors: parameter.invalid unless ε ≥ 0, 0 ≤ δ ≤ 1, distance ≥ 0.
 * @example truncatedDelta(1e-6, 1, 1e-12) // => 1.0000037182818287e-6
 */
export function truncatedDelta(delta: number, epsilon: number, distance: number): number {
  checkEpsilon(epsilon);
  if (!(delta >= 0 && delta <= 1)) throw invalidParameter("delta", delta, "in [0, 1]");
  if (!(distance >= 0)) throw invalidParameter("distance", distance, "≥ 0");
  if (distance === 0) return delta;
  const factor = addUp(1, multiplyUp(Math.exp(epsilon), 1 + 2 ** -50));
  return Math.min(1, addUp(delta, multiplyUp(factor, distance)));
}

/** {@link truncatedDelta} of a whole profile: that of `steps` cut samples from that of the uncut ones. */
export function truncatedProfile(
  profile: ProfileBound,
  scheme: TruncatedPoisson,
  steps: number,
): ProfileBound {
  checkCount("steps", steps, 0);
  const distance = multiplyUp(steps, truncationDistance(scheme));
  return (epsilon) => truncatedDelta(Math.min(1, profile(epsilon)), epsilon, distance);
}
