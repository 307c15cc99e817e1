import { eliminationCliques } from "./elimination-order.ts";
import { junctionTree, maximalCliques, treeCells } from "./junction-tree.ts";

/** Bytes of a probability. */
const cellBytes = 8;

/** Returns the bytes of the model whose cliques hold the given ones: 8 for each cell of its junction tree. Public: known before anything is measured. */
export function modelBytes(sizes: readonly number[], cliques: readonly (readonly number[])[]): number {
  return cellBytes * treeCells(sizes, junctionTree(sizes, cliques));
}

/** The same by one rule of elimination alone, for many candidates: never smaller. */
export function modelBytesAtMost(sizes: readonly number[], cliques: readonly (readonly number[])[]): number {
  return (
    cellBytes * treeCells(sizes, { cliques: maximalCliques(eliminationCliques(sizes, cliques, "min-size")) })
  );
}
