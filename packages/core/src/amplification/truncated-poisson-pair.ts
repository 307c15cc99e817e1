import type { Adjacency } from "../measures/adjacency.ts";
import { type DominatingPair, mixedPair, sampledApart, sampledPair } from "../measures/pairs/index.ts";
import { subtractUp } from "../numeric/directed.ts";
import { binomialTail } from "./binomial.ts";
import { checkCount } from "./subsampled-epsilon.ts";
import type { TruncatedPoisson } from "./truncated-poisson.ts";

/** What runs on the sample, seen by one unit more, and by one unit in another's place. */
export interface StepPairs {
  readonly one: DominatingPair;
  readonly replaced: DominatingPair;
}

/**
 * The pair of a step on a Poisson sample of at most `population` units that is cut to `limit` of them. By public coins: the others do not
 * fill the batch, and it is a Poisson sample; or, at most as likely as P[Bin(population − 1, rate) ≥ limit], they do, and the unit takes
 * another's place with a probability of at most `rate`. It holds for every number of units up to `population`, which need not be the same in
 * all steps. What fewer units than `limit` reach gives the lower ends. Null where replaced units on samples have no pair.
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
  const full = sampled(step.replaced);
  if (full === null) return null;
  const parts = [
    { weight: subtractUp(1, filled), pair: open },
    { weight: filled, pair: full },
  ];
  const pair = mixedPair(parts);
  return { ...pair, tight: false, ...(open.tight ? { reached: [open] } : {}), group: () => null };
}
