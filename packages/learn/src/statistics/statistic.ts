/**
 * A sum over the rows: of the product of some scaled numbers, over the rows with a category in each of some blocks. Without factors it counts
 * rows; with no cells it is over all of them.
 */
export interface Statistic {
  /** In the order of their blocks. */
  readonly cells: readonly Cell[];
  /** The places of the numbers that are multiplied, in order: [i, i] is a square. */
  readonly factors: readonly number[];
}

/** The rows whose block has this category, both by their places. */
export interface Cell {
  readonly block: number;
  readonly category: number;
}

/** Returns a text that two statistics share where they are the same. */
export function keyOf({ cells, factors }: Statistic): string {
  const inOrder = cells.toSorted((a, b) => a.block - b.block);
  return `${inOrder.map(({ block, category }) => `${block}=${category}`).join(",")}|${factors.toSorted((a, b) => a - b).join(",")}`;
}
