import { invalidParameter } from "../../../errors/lethe-error.ts";

/** A move of the mean of a Gaussian, in its standard deviations, and its probability. */
export interface Move {
  readonly weight: number;
  readonly move: number;
}

/** A likelihood that is not told apart from 0: what is so unlikely counts as told in full. */
export const leastWeight = 1e-280;
/** A move beyond which the two Gaussians are not told apart from disjoint laws in one step. */
export const largestMove = 50;

/**
 * The number of those taken of `units`, each with probability `rate`, times one unit's move; `keep` is 1 − rate where that is known better.
 * Each weight to (4·units + 4) ulp.
 */
export function binomialMoves(units: number, rate: number, keep: number, move: number): readonly Move[] {
  if (!(Number.isInteger(units) && units >= 0)) throw invalidParameter("units", units, "an integer ≥ 0");
  const moves: Move[] = [];
  let ways = 1;
  for (let taken = 0; taken <= units; taken++) {
    const weight = ways * rate ** taken * keep ** (units - taken);
    if (weight > 0) moves.push({ weight, move: taken * move });
    ways = (ways * (units - taken)) / (taken + 1);
  }
  return moves;
}

/** The moves of `units` units of the same law, each drawing its own: sums of moves, weights multiplied. Null where they are too many. */
export function movesOfUnits(moves: readonly Move[], units: number, most: number): readonly Move[] | null {
  let total = new Map<number, number>([[0, 1]]);
  for (let unit = 0; unit < units; unit++) {
    const next = new Map<number, number>();
    for (const [sum, likely] of total) {
      for (const { weight, move } of moves) {
        const to = sum + move;
        next.set(to, (next.get(to) ?? 0) + likely * weight);
      }
    }
    if (next.size > most) return null;
    total = next;
  }
  return [...total].map(([move, weight]) => ({ weight, move }));
}
