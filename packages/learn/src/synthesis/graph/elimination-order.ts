import { elementAt } from "@lethe/core/numeric";

/** Which attribute goes next: the one that joins fewest strangers, or whose clique has fewest cells. */
export type EliminationRule = "min-fill" | "min-size";

/**
 * Removes the attributes one by one, each time joining its neighbours: returns the clique of each at its turn, attributes in order. They hold every
 * given clique, and make a chordal graph, so that the maximal ones form a junction tree. By "min-fill" an attribute that joins no strangers goes at once,
 * which never makes a graph worse.
 * Source: Koller & Friedman 2009, Sec. 9.4.3.2 (greedy elimination).
 * @example eliminationCliques([2, 2, 2], [[0, 1], [1, 2]], "min-fill") // => [[0, 1], [1, 2], [2]]
 */
export function eliminationCliques(
  sizes: readonly number[],
  cliques: readonly (readonly number[])[],
  rule: EliminationRule,
): readonly (readonly number[])[] {
  const beside = sizes.map(() => new Set<number>());
  for (const clique of cliques) joinAll(clique, beside);
  const left = new Set(sizes.keys());
  const formed: (readonly number[])[] = [];
  while (left.size > 0) {
    const next = rule === "min-fill" ? leastFill(left, beside, sizes) : smallest(left, beside, sizes);
    const around = [...elementAt(beside, next)];
    formed.push([next, ...around].sort((a, b) => a - b));
    joinAll(around, beside);
    for (const neighbour of around) elementAt(beside, neighbour).delete(next);
    left.delete(next);
  }
  return formed;
}

type Neighbours = readonly Set<number>[];

function joinAll(clique: readonly number[], beside: Neighbours): void {
  for (const a of clique) for (const b of clique) if (a !== b) elementAt(beside, a).add(b);
}

function cellsAround(attribute: number, beside: Neighbours, sizes: readonly number[]): number {
  let cells = elementAt(sizes, attribute);
  for (const neighbour of elementAt(beside, attribute)) cells *= elementAt(sizes, neighbour);
  return cells;
}

function smallest(left: ReadonlySet<number>, beside: Neighbours, sizes: readonly number[]): number {
  let [best, fewest] = [-1, 0];
  for (const attribute of left) {
    const cells = cellsAround(attribute, beside, sizes);
    if (best < 0 || cells < fewest) [best, fewest] = [attribute, cells];
  }
  return best;
}

/** Ties go to the clique of fewer cells. */
function leastFill(left: ReadonlySet<number>, beside: Neighbours, sizes: readonly number[]): number {
  let [best, least, fewest] = [-1, Number.POSITIVE_INFINITY, 0];
  for (const attribute of left) {
    const missing = missingEdges([...elementAt(beside, attribute)], beside, least);
    if (missing > least) continue;
    const cells = cellsAround(attribute, beside, sizes);
    if (missing < least || cells < fewest) [best, least, fewest] = [attribute, missing, cells];
    if (least === 0) break;
  }
  return best;
}

/** Counts the pairs that are not joined; stops beyond the limit. */
function missingEdges(around: readonly number[], beside: Neighbours, limit: number): number {
  let missing = 0;
  for (const [at, a] of around.entries()) {
    const known = elementAt(beside, a);
    for (let next = at + 1; next < around.length && missing <= limit; next++) {
      if (!known.has(elementAt(around, next))) missing += 1;
    }
  }
  return missing;
}
