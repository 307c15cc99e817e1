import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf, type JunctionTree } from "../graph/index.ts";
import { addUp, cellMap } from "./cell-map.ts";

/** A junction tree made ready: potentials of its cliques ↦ probabilities of their cells. */
export interface Propagation {
  /** Cells of each clique. */
  readonly cells: readonly number[];
  /**
   * Returns the probabilities of each clique's cells, all of which agree where cliques overlap, of the law that is proportional to the product of
   * exp(potential). Potentials are not changed. None is NaN where potentials are finite or −∞, and not −∞ everywhere.
   */
  run(potentials: readonly Float64Array[]): readonly Float64Array[];
}

/**
 * Prepares message passing. Messages go up in log space, each cell's by its own largest term, so that no exponent overflows; down go conditional
 * probabilities, from the same exponentials.
 * Source: Lauritzen & Spiegelhalter 1988; Koller & Friedman 2009, Alg. 10.3.
 */
export function propagation(sizes: readonly number[], tree: JunctionTree): Propagation {
  const { cliques, parents, separators } = tree;
  const cells = cliques.map((clique) => cellsOf(sizes, clique));
  const maps = cliques.map((clique, at) => {
    const [parent, separator] = [elementAt(parents, at), elementAt(separators, at)];
    return parent < 0
      ? null
      : {
          ...{ parent, size: cellsOf(sizes, separator), own: cellMap(sizes, clique, separator) },
          above: cellMap(sizes, elementAt(cliques, parent), separator),
        };
  });
  return {
    cells,
    run(potentials) {
      const beliefs = potentials.map((potential) => potential.slice());
      // Conditional probabilities of a clique's cells given its separator, once its message has gone up.
      for (let at = cliques.length - 1; at >= 1; at--) {
        const map = maps[at];
        if (!map) continue;
        const message = conditioned(elementAt(beliefs, at), map.own, map.size);
        const above = elementAt(beliefs, map.parent);
        for (let cell = 0; cell < above.length; cell++) {
          above[cell] = doubleAt(above, cell) + doubleAt(message, intAt(map.above, cell));
        }
      }
      const root = elementAt(beliefs, 0);
      conditioned(root, new Int32Array(root.length), 1);
      for (const [at, map] of maps.entries()) {
        if (!map) continue;
        const below = elementAt(beliefs, at);
        const chances = addUp(elementAt(beliefs, map.parent), map.above, map.size);
        for (let cell = 0; cell < below.length; cell++) {
          below[cell] = doubleAt(below, cell) * doubleAt(chances, intAt(map.own, cell));
        }
      }
      return beliefs;
    },
  };
}

/** Turns logarithms into probabilities given the cell of the map, in place; returns ln Σ exp of each such cell. */
function conditioned(logs: Float64Array, map: Int32Array, size: number): Float64Array {
  const largest = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  for (let cell = 0; cell < logs.length; cell++) {
    const place = intAt(map, cell);
    const log = doubleAt(logs, cell);
    if (log > doubleAt(largest, place)) largest[place] = log;
  }
  const totals = new Float64Array(size);
  for (let cell = 0; cell < logs.length; cell++) {
    const place = intAt(map, cell);
    const top = doubleAt(largest, place);
    const term = top === Number.NEGATIVE_INFINITY ? 0 : Math.exp(doubleAt(logs, cell) - top);
    logs[cell] = term;
    totals[place] = doubleAt(totals, place) + term;
  }
  for (let cell = 0; cell < logs.length; cell++) {
    const total = doubleAt(totals, intAt(map, cell));
    if (total > 0) logs[cell] = doubleAt(logs, cell) / total;
  }
  return totals.map((total, place) => Math.log(total) + (total > 0 ? doubleAt(largest, place) : 0));
}
