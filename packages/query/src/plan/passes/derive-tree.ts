import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { gridCells, rowWeight } from "../cell-tree.ts";
import type { Grid, TreeMeasurement } from "../plan.ts";
import { treeSensitivity } from "../sensitivity.ts";
import { unitContribution } from "../unit-contribution.ts";
import { groupsAtMost, type LimitedQuestion } from "./limit-contributions.ts";

/** The properties by which the loss is allocated. */
export interface DerivedNoised {
  readonly name: string;
  readonly l1: bigint;
  readonly l2Squared: bigint;
  /** The most that the presence of one unit changes a group: errors are compared in this unit. */
  readonly magnitude: bigint;
  /** The weight of its error in the answers, squared, in units of `magnitude`. */
  readonly importance: number;
}

/** A tree before noise is chosen for it. */
export interface DerivedTree extends Omit<TreeMeasurement, "noise" | "l1" | "l2Squared">, DerivedNoised {}

/** Derives the tree over an argument's grid, and how far one unit moves its counts (proof: ../sensitivity.proof.md). */
export function deriveTree(
  name: string,
  argument: Expression,
  grid: Grid,
  { adjacency, contribution, keys }: LimitedQuestion,
): DerivedTree {
  const all = groupsAtMost(keys);
  const { cellWidth, branching, height } = gridCells(grid, all);
  const reach = unitContribution(contribution);
  const [most, levels] = [BigInt(rowWeight) * BigInt(reach.rows), BigInt(height)];
  return {
    name,
    argument,
    grid,
    cellWidth: `${cellWidth}`,
    branching,
    height,
    rowWeight,
    ...treeSensitivity(adjacency, {
      most,
      levels,
      groups: BigInt(reach.fullGroups),
      allGroups: Number.isFinite(all) ? BigInt(all) : null,
    }),
    magnitude: levels * most,
    importance: 1,
  };
}

/** The most nodes over all groups and trees: each draws noise, some ten microseconds long, before anything else is answered. */
const mostNodes = 2 ** 23;
/** The number of groups that is assumed where keys are data. */
const privateGroups = 1_000;

/** Refuses trees whose noise would keep everybody waiting, but never a single one. Errors: query.too-large. */
export function demandFewNodes(trees: readonly DerivedTree[], groupsAtMost: number): void {
  const groups = Number.isFinite(groupsAtMost) ? groupsAtMost : privateGroups;
  const nodes = trees.reduce((total, { branching, height }) => {
    for (let level = 1; level <= height; level += 1) total += branching ** level;
    return total;
  }, 0);
  if (nodes * groups <= mostNodes) return;
  refuse(
    "query.too-large",
    `quantiles of ${trees.length} different values in ${Number.isFinite(groupsAtMost) ? groups : "unknown"} groups take more noise than one question may draw`,
    "ask for quantiles of fewer values at once, or group by fewer keys; several quantiles of one value count as one",
  );
}
