import type { Adjacency } from "../losses/measures/adjacency.ts";
import {
  type DominatingPair,
  gaussianMixturePair,
  mixedPair,
  profilePair,
  sampledApart,
  sampledPair,
} from "../losses/pld/pairs/index.ts";
import { addUp, subtractUp } from "../numeric/directed.ts";
import { ndtr } from "../numeric/special/index.ts";
import { binomialError, binomialMass, binomialTail } from "./binomial.ts";
import { checkCount } from "./subsampled-epsilon.ts";
import type { TruncatedPoisson } from "./truncated-poisson.ts";

/** The dominating pairs of the mechanism that runs on the sample: for one unit more, and for one unit in another's place. */
export interface StepPairs {
  readonly one: DominatingPair;
  readonly replaced: DominatingPair;
}

/**
 * The pair of a step on a Poisson sample of at most `population` units that is cut to `limit` of them. By public coins: the others do not
 * fill the batch, and it is a Poisson sample; or, at most as likely as P[Bin(population − 1, rate) ≥ limit], they do, and the unit takes
 * another's place with a probability of at most `rate`. For Gaussian noise nobody tells whether the others fill the batch
 * or leave one place, as likely by the least share that this has for any number of units. It holds for every number of units up to `population`,
 * which need not be the same in all steps. What fewer units than `limit` reach gives the lower ends. Null where replaced units on samples have
 * no pair.
 * Proof: ./truncated-poisson.proof.md
 * Source: by its own proof; at one number of units, arXiv 2508.15089
 * Direction: upper
 * Errors: parameter.invalid unless 0 ≤ rate ≤ 1 and both counts are whole numbers, limit ≥ 1, population ≥ 1.
 */
export function truncatedPoissonPair(
  step: StepPairs,
  scheme: TruncatedPoisson & { readonly keep?: number },
  adjacency: Adjacency,
): DominatingPair | null {
  const { rate, keep = 1 - rate, population, limit } = scheme;
  checkCount("population", population, 1);
  checkCount("limit", limit, 1);
  const sampled = (pair: DominatingPair): DominatingPair | null =>
    adjacency === "add-or-remove-one"
      ? sampledPair(pair, rate, keep)
      : sampledApart(pair, { rate, keep, added: 1, removed: 1 });
  const open = sampled(step.one);
  const filled = Math.min(1, binomialTail(population - 1, rate, limit - 1));
  if (open === null || filled === 0) return open;
  const nearly = nearlyFull(step.one, { rate, keep, population, limit }, filled, adjacency);
  const full = nearly ?? { weight: filled, pair: sampled(step.replaced) };
  if (full.pair === null) return null;
  const parts = [
    { weight: subtractUp(1, full.weight), pair: open },
    { weight: full.weight, pair: full.pair },
  ];
  const pair = mixedPair(parts);
  return { ...pair, tight: false, ...(open.tight ? { reached: [open] } : {}), group: () => null };
}

interface Full {
  readonly weight: number;
  readonly pair: DominatingPair | null;
}

/**
 * Batches that the others fill, and some of those that they leave one place in: about what fills them but one unit, the unit at +μ against
 * 0 or another at −μ. Null where no test of one unit is known to be that of a Gaussian, or μ is beyond what doubles serve.
 */
function nearlyFull(
  one: DominatingPair,
  { rate, keep, population, limit }: TruncatedPoisson & { readonly keep: number },
  filled: number,
  adjacency: Adjacency,
): Full | null {
  const mu = one.gaussianAtMost;
  if (mu === undefined || !(mu >= leastMu && mu <= largestMu)) return null;
  const others = population - 1;
  // Of the mass, and of `keep` to its power.
  const error = Math.min(1, binomialError(others) + others * Number.EPSILON + 1e-14);
  // Their share falls with the number of units: at the largest it is the least. A smaller one is more loss.
  const onePlace = binomialMass(limit - 1, others, rate, keep) * (1 - error);
  const share = onePlace / (onePlace + filled * (1 + 1e-14));
  return {
    weight: Math.min(1, addUp(filled, onePlace)),
    pair:
      adjacency === "replace-one"
        ? replacedPair({ mu, rate, keep, share })
        : comingPair({ mu, rate, keep, share }),
  };
}

interface NearlyFull {
  readonly mu: number;
  readonly rate: number;
  readonly keep: number;
  /** The share of batches with one place left among these batches and the full ones. */
  readonly share: number;
}

function comingPair({ mu, rate, keep, share }: NearlyFull): DominatingPair {
  const backward = [
    { weight: share, move: 0 },
    { weight: 1 - share, move: mu },
  ];
  return sampledPair(gaussianMixturePair([{ weight: 1, move: mu }], backward, { tight: false }), rate, keep);
}

/**
 * A unit at +μ for another at −μ, in a sample of rate q beside R = share·N(0, 1) + (1 − share)·N(−μ, 1): with γ = e^ε the greatest of
 * q·P[x > t − μ] − (1 − q)(γ − 1)·R[x > t] − γq·P[x > t + μ] over t, which lies between two neighbouring doubles t.
 */
function replacedPair({ mu, rate, keep, share }: NearlyFull): DominatingPair {
  const delta = (epsilon: number): number => {
    const [stay, go] = [keep * Math.expm1(epsilon), Math.exp(epsilon) * rate];
    // At −μ all of it has the weight `behind`.
    const behind = stay * (1 - share) + go;
    const over = (t: number): boolean =>
      Math.log(rate) + mu * t > Math.log(stay * share * Math.exp(0.5 * mu * mu) + behind * Math.exp(-mu * t));
    let [low, high] = [0, 1];
    while (high < 1e6 && !over(high)) high *= 2;
    if (!over(high)) return rate;
    for (let i = 0; i < 100 && low < high; i++) {
      const middle = (low + high) / 2;
      if (middle === low || middle === high) break;
      if (over(middle)) high = middle;
      else low = middle;
    }
    const gain = rate * ndtr(mu - low) * margin;
    const cost = (stay * share * ndtr(-high) + behind * ndtr(-high - mu)) / margin;
    return Math.max(0, gain - cost) + leastDelta;
  };
  return profilePair(delta, `nearly-full(${mu},${rate},${keep},${share})`);
}

/** The range of μ that doubles serve. Outside it exponentials of μ² overflow, or crossings of densities are not found to all digits. */
const [leastMu, largestMu] = [1e-6, 30];
/** Covers the rounding of what is on either side of a difference, and, in second order, of where it is greatest. */
const margin = 1 + 1e-12;
/** Covers what underflows. */
const leastDelta = 1e-300;
