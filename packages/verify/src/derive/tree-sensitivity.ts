import type { Plan, TreeMeasurement } from "@lethe/query";
import { type Distance, groupsOfUnit, isRowBounded } from "./sensitivity.ts";
import { rowsInGroup } from "./unit-range.ts";

/**
 * How far one unit moves the counts of all nodes of a tree, over all groups. In one group a unit's cells are not negative,
 * and c·⌊weight·m/n⌋ over cells with Σ c = n sums to at most weight·m ≤ weight·r; each level adds those cells up into
 * nodes, so a level is a vector with no negative part and that sum: its ℓ1 norm at most the sum, its squared ℓ2 norm at
 * most the sum's square. Where one unit takes another's place, |u − v| ≤ |u| + |v| and, as neither is negative anywhere,
 * |u − v|² ≤ |u|² + |v|². Errors: RangeError when the plan contradicts itself.
 */
export function deriveTreeSensitivity(tree: TreeMeasurement, plan: Plan): Distance {
  const { grid, cellWidth, branching, height, rowWeight } = tree;
  const values = BigInt(grid.hi) - BigInt(grid.lo) + 1n;
  const cells = BigInt(branching) ** BigInt(height);
  if (!(values >= 1n)) throw new RangeError("a grid whose low end lies above its high end");
  if (!(BigInt(cellWidth) >= 1n && BigInt(cellWidth) * cells >= values))
    throw new RangeError("values that lie in no cell of their tree");
  const rowBounded = isRowBounded(plan);
  const all = rowsInGroup(plan) * BigInt(rowWeight);
  let distance = { l1: 0n, l2Squared: 0n };
  for (let level = 0; level < height; level += 1)
    distance = { l1: distance.l1 + all, l2Squared: distance.l2Squared + all * all };
  // Rows that are bounded wherever they lie fill one group at the most, or share it with others.
  const groups = groupsOfUnit(plan);
  const vectors = (rowBounded && groups > 1n ? 1n : groups) * (plan.adjacency === "replace-one" ? 2n : 1n);
  return { l1: vectors * distance.l1, l2Squared: vectors * distance.l2Squared };
}
