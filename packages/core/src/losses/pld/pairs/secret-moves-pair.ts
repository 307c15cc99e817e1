import type { Adjacency } from "../../measures/adjacency.ts";
import type { DominatingPair } from "./dominating-pair.ts";
import { gaussianMixturePair } from "./gaussian-mixture-pair.ts";
import { type Move, movesOfUnits } from "./gaussian-moves.ts";

const still: readonly Move[] = [{ weight: 1, move: 0 }];
/** Sums of moves are not listed beyond this: each is a term of every density. */
const mostSums = 256;

/**
 * Gaussian noise on a vector that each unit moves by a move drawn afresh and in secret: Σ weight·N(move, 1) against N(0, 1) for a unit that comes,
 * against Σ weight·N(−move, 1) for one in another's place; members of a group draw for themselves. Moves are in standard deviations.
 * Proof: ./gaussian-mixture.proof.md
 * Errors: parameter.invalid as {@link gaussianMixturePair}.
 * Source: one side alone, Choquette-Choo, Ganesh, Steinke & Thakurta 2023 (arXiv 2310.15526); both by its own proof
 * Direction: exact
 */
export function secretMovesPair(moves: readonly Move[], adjacency: Adjacency): DominatingPair {
  const apart = (added: number, removed: number): DominatingPair => {
    const [came, went] = [movesOfUnits(moves, added, mostSums), movesOfUnits(moves, removed, mostSums)];
    const group = (k: number): DominatingPair | null =>
      added === removed ? apart(k * added, k * removed) : null;
    return came && went ? gaussianMixturePair(came, went, { group }) : farthest(moves, added, removed);
  };
  if (adjacency === "replace-one") return apart(1, 1);
  return gaussianMixturePair(moves, still, { apart, group: (k) => farthest(moves, k, 0) });
}

/** Returns the pair for units that all move as far as they may, which is a bound. */
function farthest(moves: readonly Move[], added: number, removed: number): DominatingPair {
  const most = Math.max(...moves.map(({ weight, move }) => (weight > 0 ? move : 0)));
  const certain = (units: number): readonly Move[] => [{ weight: 1, move: units * most }];
  return gaussianMixturePair(certain(added), certain(removed), { tight: false });
}
