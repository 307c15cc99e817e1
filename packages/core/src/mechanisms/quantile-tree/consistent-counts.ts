import { doubleAt, elementAt } from "../../numeric/elements/element-at.ts";

/** The weights of the best estimate of a node's count from itself and its descendants. They depend on its height (1 for a leaf). */
export interface HeightWeights {
  /** The weight of the node's own noisy count. */
  readonly own: number;
  /** The weight of the sum of its children's best estimates; 0 for a leaf. */
  readonly children: number;
}

/**
 * own = (b^l − b^(l−1))/(b^l − 1), children = (b^(l−1) − 1)/(b^l − 1) at height l, for equal noise on all nodes.
 * Source: Hay, Rastogi, Miklau & Suciu 2010, Thm 3.
 * Direction: exact.
 */
export function heightWeights(branching: number, height: number): HeightWeights {
  if (height === 1) return { own: 1, children: 0 };
  const [all, below] = [branching ** height, branching ** (height - 1)];
  return { own: (all - below) / (all - 1), children: (below - 1) / (all - 1) };
}

/**
 * The least-squares estimate of all counts under "a node is the sum of its children": levels from the root down. `known`, if given, is
 * the root's exact count. Post-processing, in doubles. Linear in the noisy counts and in `known`.
 * Source: Hay, Rastogi, Miklau & Suciu 2010, Thm 3; Honaker 2015.
 * Direction: exact (to double precision).
 */
export function consistentCounts(
  noisy: readonly ArrayLike<number>[],
  branching: number,
  known: number | null,
): Float64Array[] {
  const best = noisy.map((level) => Float64Array.from(level));
  const last = best.length - 1;
  for (let depth = last - 1; depth >= 0; depth -= 1) {
    const { own, children } = heightWeights(branching, last - depth + 1);
    const [level, below] = [elementAt(best, depth), elementAt(best, depth + 1)];
    for (let i = 0; i < level.length; i += 1)
      level[i] = own * doubleAt(level, i) + children * sumOf(below, i, branching);
  }
  if (known !== null) elementAt(best, 0)[0] = known;
  for (let depth = 1; depth <= last; depth += 1) {
    const [above, level] = [elementAt(best, depth - 1), elementAt(best, depth)];
    for (let i = 0; i < above.length; i += 1) {
      const share = (doubleAt(above, i) - sumOf(level, i, branching)) / branching;
      for (let j = i * branching; j < (i + 1) * branching; j += 1) level[j] = doubleAt(level, j) + share;
    }
  }
  return best;
}

function sumOf(level: Float64Array, parent: number, branching: number): number {
  let total = 0;
  for (let j = parent * branching; j < (parent + 1) * branching; j += 1) total += doubleAt(level, j);
  return total;
}
