import { invalidParameter } from "../errors/lethe-error.ts";
import { type Exact, unseal } from "../exact/exact.ts";
import type { ExactRows, KeyValue } from "../exact/exact-rows.ts";
import { elementAt } from "../numeric/elements/element-at.ts";
import type { Draws } from "./draws.ts";
import { canonicalKey } from "./key-order.ts";
import type { NoisyCells } from "./quantile-tree/noisy-cells.ts";
import type { TreeProgram } from "./release-program.ts";

/**
 * Prepares the noisy counts of a group's trees. The exact rows of a tree have one key more than those of the measurements:
 * the cell, an integer; their first sum is the cell's count. A group that has none counts 0 everywhere.
 * Errors: parameter.invalid for a broken program, or without exact rows for each of its trees; none that depend on the rows.
 */
export function treeReleaser(
  trees: readonly TreeProgram[],
  cells: readonly Exact<ExactRows>[],
  draws: Draws,
): (key: readonly KeyValue[]) => readonly NoisyCells[] {
  if (cells.length !== trees.length) {
    throw invalidParameter("cells", cells.length, `exact rows for each of ${trees.length} trees`);
  }
  const released = trees.map((tree, at) => ({
    release: draws.tree(tree, `tree ${at}`),
    counts: countsByGroup(unseal(elementAt(cells, at))),
  }));
  return (key) => {
    const name = canonicalKey(key);
    return released.map(({ release, counts }) => release(counts.get(name) ?? none, key));
  };
}

const none: ReadonlyMap<number, bigint> = new Map();

function countsByGroup({ groups }: ExactRows): ReadonlyMap<string, ReadonlyMap<number, bigint>> {
  const all = new Map<string, Map<number, bigint>>();
  for (const { key, sums } of groups) {
    const name = canonicalKey(key.slice(0, -1));
    const cell = key.at(-1);
    const count: unknown = sums[0];
    const counts = all.get(name) ?? new Map<number, bigint>();
    all.set(name, counts);
    // Were a cell to come twice, their sum is the count, as for measurements.
    if (typeof cell === "bigint" && typeof count === "bigint")
      counts.set(Number(cell), (counts.get(Number(cell)) ?? 0n) + count);
  }
  return all;
}
