import { invalidParameter } from "../../../errors/lethe-error.ts";
import type { DominatingPair } from "./dominating-pair.ts";
import { gaussianMixturePair } from "./gaussian-mixture-pair.ts";
import { binomialMoves } from "./gaussian-moves.ts";

/** A Poisson sample seen by neighbours that do not differ in one unit more alone. */
export interface UnitsApart {
  readonly rate: number;
  /** 1 − rate where that is known better than the difference of doubles. */
  readonly keep?: number;
  /** Units that one of the neighbours has alone, and units that the other has. */
  readonly added: number;
  readonly removed: number;
}

/** More units are left to the bounds for groups: each is a term of every density. */
const mostUnits = 64;

/**
 * Neighbours of which one has `added` and the other `removed` units of its own, on a Poisson sample, where `pair` is μ-Gaussian: with
 * Bin(n, rate) for the number of n units that are sampled, Σ Bin(added)·N(jμ, 1) against Σ Bin(removed)·N(−jμ, 1). One unit for another is 1
 * and 1. Null where `pair` is not known to be Gaussian or the units are too many. Proof: ./gaussian-mixture.proof.md
 * Errors: parameter.invalid unless 0 ≤ rate ≤ 1 and both are integers ≥ 0.
 * Source: by its own proof, from the Neyman–Pearson lemma
 * Direction: exact
 */
export function sampledApart(pair: DominatingPair, units: UnitsApart): DominatingPair | null {
  const { rate, keep = 1 - rate, added, removed } = units;
  if (!(rate >= 0 && rate <= 1)) throw invalidParameter("rate", rate, "a number in [0, 1]");
  const mu = pair.gaussianAtMost;
  if (mu === undefined || !(added + removed <= mostUnits)) return null;
  const apart = (a: number, b: number): DominatingPair | null =>
    sampledApart(pair, { rate, keep, added: a, removed: b });
  return gaussianMixturePair(binomialMoves(added, rate, keep, mu), binomialMoves(removed, rate, keep, mu), {
    // A bound by a Gaussian is reached by none of its own.
    tight: pair.tight && pair.gaussian !== null,
    // As many units of each again: replaced units, whose group is replaced as a whole.
    group: (k) => (added === removed ? apart(k * added, k * removed) : null),
  });
}
