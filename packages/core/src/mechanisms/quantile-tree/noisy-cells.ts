import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Noise } from "../noise.ts";
import { addNoise, noiseSampler } from "../registry.ts";

/**
 * A hierarchy of counts over branching^height cells: cell c lies below node ⌊c/branching^(height − d)⌋ of level d, d = 1 …
 * height. The root is not counted: its children sum to it. Plain public data.
 */
export interface CellTree {
  /** Children of a node, from 2 to 4096. */
  readonly branching: number;
  /** Noisy levels, ≥ 1; there are branching^height cells, at most 2^16. */
  readonly height: number;
}

/** Noisy counts by level, the cells last: level d has branching^d nodes. Integers, rounded to doubles beyond 2^53. */
export type NoisyCells = readonly Float64Array[];

/** The most cells of one tree. */
export const mostCells: number = 1 << 16;

/** Errors: parameter.invalid. */
export function cellCount({ branching, height }: CellTree): number {
  if (!(Number.isInteger(branching) && branching >= 2 && branching <= 4096)) {
    throw invalidParameter("branching", branching, "an integer from 2 to 4096");
  }
  const cells = branching ** height;
  if (!(Number.isInteger(height) && height >= 1 && cells <= mostCells)) {
    throw invalidParameter("height", height, `an integer ≥ 1 with branching^height ≤ ${mostCells}`);
  }
  return cells;
}

/**
 * Prepares (counts of cells) ↦ every node of the tree with its own draw of the noise, empty ones too. Missing cells count
 * 0, what is no cell is left out: nothing here can fail because of the data. Proof: ./quantile-tree.proof.md.
 * Source: Hay, Rastogi, Miklau & Suciu 2010; for quantiles, Google's quantile trees.
 * Direction: exact.
 * Errors: parameter.invalid, of tree and noise alone.
 */
export function noisyCells(
  tree: CellTree,
  noise: Noise,
): (counts: ReadonlyMap<number, bigint>, bits: BitSource) => NoisyCells {
  const cells = cellCount(tree);
  const sampler = noiseSampler(noise);
  return (counts, bits) =>
    Array.from({ length: tree.height }, (_, at) => {
      const nodes = tree.branching ** (at + 1);
      const below = cells / nodes;
      const exact = new Map<number, bigint>();
      for (const [cell, count] of counts) {
        if (!(Number.isInteger(cell) && cell >= 0 && cell < cells)) continue;
        const node = Math.floor(cell / below);
        exact.set(node, (exact.get(node) ?? 0n) + count);
      }
      return Float64Array.from({ length: nodes }, (__, node) =>
        Number(addNoise(exact.get(node) ?? 0n, sampler, bits)),
      );
    });
}
