import { elementAt } from "@lethe/core/numeric";
import { type EliminationRule, eliminationCliques } from "./elimination-order.ts";

/**
 * Cliques of attributes such that those with an attribute in common hang together, as a tree. Parts without a link hang together by an empty separator, so
 * that there is one tree whatever the graph.
 */
export interface JunctionTree {
  /** Attributes in order. The first is the root, and every clique comes after its parent. */
  readonly cliques: readonly (readonly number[])[];
  /** The place of each clique's parent; −1 for the root. */
  readonly parents: readonly number[];
  /** What each clique shares with its parent; nothing for the root. */
  readonly separators: readonly (readonly number[])[];
}

/**
 * Returns a junction tree in which each given clique lies within one of its own; every attribute is in some clique. Of the two rules of elimination, the one
 * whose tree has fewer cells.
 * Source: Koller & Friedman 2009, Sec. 10.4 (maximal cliques of the chordal graph, spanning tree of largest separators).
 */
export function junctionTree(
  sizes: readonly number[],
  cliques: readonly (readonly number[])[],
): JunctionTree {
  const [fewest, other] = (["min-fill", "min-size"] as const).map((rule) => treeBy(sizes, cliques, rule));
  if (!fewest || !other) return { cliques: [], parents: [], separators: [] };
  return treeCells(sizes, other) < treeCells(sizes, fewest) ? other : fewest;
}

/** Returns the number of cells of all cliques of a tree: as a double, which may be infinite. */
export function treeCells(sizes: readonly number[], { cliques }: Pick<JunctionTree, "cliques">): number {
  return cliques.reduce((total, clique) => total + cellsOf(sizes, clique), 0);
}

/** Returns the number of cells of a table of these attributes. @example cellsOf([2, 3, 4], [0, 2]) // => 8 */
export function cellsOf(sizes: readonly number[], attributes: readonly number[]): number {
  return attributes.reduce((cells, attribute) => cells * elementAt(sizes, attribute), 1);
}

/** Returns the cliques that are in no other. */
export function maximalCliques(cliques: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const kept: Set<number>[] = [];
  for (const clique of cliques.toSorted((a, b) => b.length - a.length)) {
    if (!kept.some((larger) => clique.every((attribute) => larger.has(attribute))))
      kept.push(new Set(clique));
  }
  return kept.map((clique) => [...clique].sort((a, b) => a - b));
}

function treeBy(
  sizes: readonly number[],
  given: readonly (readonly number[])[],
  rule: EliminationRule,
): JunctionTree {
  const maximal = maximalCliques(eliminationCliques(sizes, given, rule));
  const sets = maximal.map((clique) => new Set(clique));
  // Prim's algorithm: the clique that shares most with what is in the tree comes next.
  const order = [0];
  const parents = [-1];
  const nearest = maximal.map((clique, at) => ({
    to: 0,
    shared: at === 0 ? -1 : sharedWith(clique, sets[0]),
  }));
  const waiting = new Set(maximal.keys());
  waiting.delete(0);
  while (waiting.size > 0) {
    let next = -1;
    for (const at of waiting) {
      if (next < 0 || elementAt(nearest, at).shared > elementAt(nearest, next).shared) next = at;
    }
    parents.push(order.indexOf(elementAt(nearest, next).to));
    order.push(next);
    waiting.delete(next);
    for (const at of waiting) {
      const shared = sharedWith(elementAt(maximal, at), sets[next]);
      if (shared > elementAt(nearest, at).shared) nearest[at] = { to: next, shared };
    }
  }
  const cliques = order.map((at) => elementAt(maximal, at));
  return {
    cliques,
    parents,
    separators: cliques.map((clique, at) => {
      const parent = elementAt(parents, at);
      const above = new Set(parent < 0 ? [] : elementAt(cliques, parent));
      return clique.filter((attribute) => above.has(attribute));
    }),
  };
}

function sharedWith(clique: readonly number[], other: ReadonlySet<number> | undefined): number {
  return clique.reduce((shared, attribute) => shared + (other?.has(attribute) ? 1 : 0), 0);
}
