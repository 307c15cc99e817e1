import { familyOf } from "../../aggregates/family-of.ts";
import { rowBits } from "../../grid/row-bits.ts";
import type { DerivedQuestion } from "../passes/derive-sensitivity.ts";
import { unitContribution } from "../unit-contribution.ts";

/** The most cells of a tree, so that the noise a group draws has a public bound. */
const mostCells = 2 ** 16;
/** The bits of the signed 128-bit integers in which engines sum. */
const engineBits = 127;

/** Checks the trees that quantiles are read from. */
export function verifyTrees(
  { trees, aggregates, contribution, adjacency }: DerivedQuestion,
  demand: (holds: boolean, broken: string) => void,
): void {
  const reach = unitContribution(contribution);
  const read = new Set(aggregates.flatMap((aggregate) => familyOf(aggregate).reading(aggregate)?.tree ?? []));
  demand(
    read.size === trees.length && trees.every(({ name }) => read.has(name)),
    "trees that no answer reads",
  );
  const arguments_ = trees.map(({ argument, grid }) => JSON.stringify([argument, grid]));
  demand(new Set(arguments_).size === trees.length, "a tree that is measured twice");
  for (const {
    grid,
    cellWidth,
    branching,
    height,
    rowWeight,
    l1,
    l2Squared,
    magnitude,
    importance,
  } of trees) {
    const points = BigInt(grid.hi) - BigInt(grid.lo) + 1n;
    const cells = branching ** height;
    demand(branching >= 2 && height >= 1 && cells <= mostCells, "a tree of no shape, or too large a one");
    demand(
      points >= 1n && BigInt(cellWidth) >= 1n && BigInt(cellWidth) * BigInt(cells) >= points,
      "cells that do not hold every value",
    );
    const most = BigInt(rowWeight) * BigInt(reach.rows);
    const nodes = BigInt(reach.fullGroups) * BigInt(height) * (adjacency === "replace-one" ? 2n : 1n);
    demand(rowWeight >= 1 && l1 === nodes * most && l2Squared === l1 * most, "a tree of other sensitivities");
    demand(importance > 0 && magnitude > 0n, "a tree that nothing uses");
    demand(most.toString(2).length + rowBits + 1 <= engineBits, "counts of cells that may exceed 127 bits");
  }
}
