import { byteAt, elementAt } from "@lethe/core/numeric";

/** Which attribute goes next: the one that joins fewest strangers, or whose clique has fewest cells. */
export type EliminationRule = "min-fill" | "min-size";

/**
 * Removes the attributes one by one, each time joining its neighbours: returns the clique of each at its turn, attributes in order. They hold every
 * given clique, and make a chordal graph, so that the maximal ones form a junction tree.
 * Source: Koller & Friedman 2009, Sec. 9.4.3.2 (greedy elimination).
 * @example eliminationCliques([2, 2, 2], [[0, 1], [1, 2]], "min-fill") // => [[0, 1], [1, 2], [2]]
 */
export function eliminationCliques(
  sizes: readonly number[],
  cliques: readonly (readonly number[])[],
  rule: EliminationRule,
): readonly (readonly number[])[] {
  const count = sizes.length;
  const joined = new Uint8Array(count * count);
  for (const clique of cliques) {
    for (const a of clique) for (const b of clique) if (a !== b) joined[a * count + b] = 1;
  }
  const left = new Set(sizes.keys());
  const formed: (readonly number[])[] = [];
  const neighbours = (a: number): number[] => [...left].filter((b) => byteAt(joined, a * count + b) === 1);
  while (left.size > 0) {
    let best = -1;
    let lowest: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let beside: readonly number[] = [];
    for (const a of left) {
      const around = neighbours(a);
      const cells = around.reduce((product, b) => product * elementAt(sizes, b), elementAt(sizes, a));
      const score: readonly [number, number] =
        rule === "min-size" ? [cells, 0] : [missingEdges(around, joined, count), cells];
      if (best < 0 || score[0] < lowest[0] || (score[0] === lowest[0] && score[1] < lowest[1])) {
        [best, lowest, beside] = [a, score, around];
      }
    }
    formed.push([best, ...beside].sort((a, b) => a - b));
    for (const a of beside) for (const b of beside) if (a !== b) joined[a * count + b] = 1;
    left.delete(best);
  }
  return formed;
}

function missingEdges(around: readonly number[], joined: Uint8Array, count: number): number {
  let missing = 0;
  for (const [at, a] of around.entries()) {
    for (let next = at + 1; next < around.length; next++) {
      missing += 1 - byteAt(joined, a * count + elementAt(around, next));
    }
  }
  return missing;
}
