import { elementAt } from "@lethe/core/numeric";
import { cellsOf, type JunctionTree } from "../graph/index.ts";
import { addUp, cellMap, projected, type Table } from "./cell-map.ts";

/** A law of rows: the probabilities of the cells of a junction tree's cliques, which agree where cliques overlap. */
export interface GraphicalModel {
  readonly sizes: readonly number[];
  readonly tree: JunctionTree;
  /** Each adds up to 1. */
  readonly beliefs: readonly Float64Array[];
  /** The estimated number of rows, at least 0; not a whole number. */
  readonly total: number;
}

/** Prepares sets of attributes ↦ the model's probabilities of their cells, in order. Tables on the way are shared between asks. */
export function marginalsOf({
  sizes,
  tree,
  beliefs,
}: GraphicalModel): (wanted: readonly number[]) => Float64Array {
  const { cliques, parents, separators } = tree;
  const links = cliques.map((): { readonly to: number; readonly separator: readonly number[] }[] => []);
  for (const [at, parent] of parents.entries()) {
    if (parent < 0) continue;
    const separator = elementAt(separators, at);
    elementAt(links, at).push({ to: parent, separator });
    elementAt(links, parent).push({ to: at, separator });
  }
  const belief = (at: number): Table => ({
    attributes: elementAt(cliques, at),
    values: elementAt(beliefs, at),
  });
  /** What is asked for of the part of the tree beyond a link, as P(wanted there, separator). */
  const known = new Map<string, Table>();
  function beyond(at: number, from: number, wanted: readonly number[], separator: readonly number[]): Table {
    const key = `${from} ${at} ${wanted.join(",")}`;
    const found = known.get(key);
    if (found) return found;
    const table = gathered(at, from, wanted, separator);
    known.set(key, table);
    return table;
  }
  /** P(wanted, kept) of the part of the tree at a clique, as seen from another one. */
  function gathered(at: number, from: number, wanted: readonly number[], kept: readonly number[]): Table {
    const here = new Set(elementAt(cliques, at));
    const missing = wanted.filter((attribute) => !here.has(attribute));
    const messages = elementAt(links, at).flatMap(({ to, separator }) => {
      if (to === from) return [];
      const there = missing.filter((attribute) => holds(to, at, attribute));
      return there.length === 0 ? [] : [{ separator, table: beyond(to, at, there, separator) }];
    });
    // Of the clique only what is asked for, or given by a message, is needed.
    const needed = new Set([
      ...kept,
      ...wanted.filter((attribute) => here.has(attribute)),
      ...messages.flatMap(({ separator }) => separator),
    ]);
    let table = projected(
      sizes,
      belief(at),
      elementAt(cliques, at).filter((attribute) => needed.has(attribute)),
    );
    for (const { separator, table: message } of messages) table = given(sizes, table, message, separator);
    return projected(
      sizes,
      table,
      table.attributes.filter((attribute) => kept.includes(attribute) || wanted.includes(attribute)),
    );
  }
  const reach = new Map<string, ReadonlySet<number>>();
  function holds(at: number, from: number, attribute: number): boolean {
    const key = `${from} ${at}`;
    const found = reach.get(key) ?? new Set(within(at, from));
    reach.set(key, found);
    return found.has(attribute);
  }
  function within(at: number, from: number): readonly number[] {
    return [
      ...elementAt(cliques, at),
      ...elementAt(links, at).flatMap(({ to }) => (to === from ? [] : within(to, at))),
    ];
  }
  return (asked) => {
    const wanted = asked.toSorted((a, b) => a - b);
    // From the clique that has most of them.
    let best = 0;
    let most = -1;
    for (const [at, clique] of cliques.entries()) {
      const shared = wanted.filter((attribute) => clique.includes(attribute)).length;
      const smaller = shared === most && cellsOf(sizes, clique) < cellsOf(sizes, elementAt(cliques, best));
      if (shared > most || smaller) [best, most] = [at, shared];
    }
    return gathered(best, -1, wanted, []).values;
  };
}

/** P(x, y) = P(x)·P(y, s)/P(s), where s is the part of x's attributes through which alone y hangs on x. */
function given(sizes: readonly number[], x: Table, y: Table, separator: readonly number[]): Table {
  const own = new Set(x.attributes);
  const added = y.attributes.filter((attribute) => !own.has(attribute));
  const attributes = [...x.attributes, ...added].sort((a, b) => a - b);
  const chances = addUp(y.values, cellMap(sizes, y.attributes, separator), cellsOf(sizes, separator));
  const [toX, toY] = [cellMap(sizes, attributes, x.attributes), cellMap(sizes, attributes, y.attributes)];
  const toSeparator = cellMap(sizes, attributes, separator);
  const values = new Float64Array(toX.length);
  for (let cell = 0; cell < values.length; cell++) {
    const chance = chances[toSeparator[cell] as number] as number;
    if (chance > 0) {
      values[cell] =
        ((x.values[toX[cell] as number] as number) * (y.values[toY[cell] as number] as number)) / chance;
    }
  }
  return { attributes, values };
}
