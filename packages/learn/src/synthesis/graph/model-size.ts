import { LetheError } from "@lethe/core";
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

/** Refuses a model that is larger than its cap. Errors: model.invalid. */
export function demandModelFits(bytes: number, cap: number): void {
  if (bytes <= cap) return;
  const shown = (x: number): string => `${(x / 1e6).toPrecision(3)} MB`;
  throw new LetheError(
    "model.invalid",
    `the model would take ${shown(bytes)}, more than its cap of ${shown(cap)}`,
    {
      fix: "raise the cap, take fewer columns or bins, or declare fewer categories",
      fields: { bytes, cap },
    },
  );
}
