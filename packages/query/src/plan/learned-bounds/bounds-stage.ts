import type { Expression } from "../../expressions/expression.ts";
import { resultDomain } from "../../expressions/operators/apply-operator.ts";
import { cellTests } from "../../expressions/operators/bound-cells.ts";
import { finiteDomain } from "../../expressions/operators/domains.ts";
import type { Adjacency } from "../../policy/policy.ts";
import { rowWeight } from "../cell-tree.ts";
import type { BoundsStage, Plan, PlannedContribution, TreeMeasurement } from "../plan.ts";
import { type Sensitivity, treeSensitivity } from "../sensitivity.ts";
import { unitContribution } from "../unit-contribution.ts";

/**
 * Returns the limits on a unit's contribution to the cells that bounds are learned from. All groups are one group, in which all
 * rows of a unit together weigh as one row; rows that are bounded before the filter are the question's own.
 */
export function stageContribution(contribution: PlannedContribution): PlannedContribution {
  return contribution.limit === "rows-before-filter" && contribution.enforced
    ? contribution
    : { ...contribution, groups: 1, rows: 1, choosesGroups: false };
}

/** Returns how far one unit moves the counts of all cells (proof: ../plan/sensitivity.proof.md). */
export function stageSensitivity(adjacency: Adjacency, contribution: PlannedContribution): Sensitivity {
  const reach = unitContribution(stageContribution(contribution));
  return treeSensitivity(adjacency, {
    most: BigInt(rowWeight) * BigInt(reach.rows),
    levels: 1n,
    groups: BigInt(reach.fullGroups),
    allGroups: 1n,
  });
}

/** Returns the cells of a stage as a tree of one level. */
export function stageTree(stage: BoundsStage): TreeMeasurement {
  const { name, argument, ends, l1, l2Squared, noise } = stage;
  const cells = cellTests(ends).length + 1;
  const literals = ends.map(
    (value): Expression => ({ kind: "literal", value, domain: finiteDomain("number", [value]) }),
  );
  const args = [argument, ...literals];
  const domain = resultDomain(
    "cell-among",
    args.map((arg) => arg.domain),
  );
  return {
    name,
    argument: { kind: "call", operator: "cell-among", args, domain },
    grid: { exponent: 0, lo: "0", hi: `${cells - 1}` },
    cellWidth: "1",
    branching: cells,
    height: 1,
    rowWeight,
    l1,
    l2Squared,
    noise,
  };
}

/**
 * Returns the plan that is measured before the plan's own sums: a question of its own over the same rows, without keys, that
 * counts the cells of each argument whose bounds are learned.
 */
export function stagePlan({ learned, groupings: _, ...plan }: Plan): Plan {
  return {
    ...plan,
    contribution: stageContribution(plan.contribution),
    keys: { parts: [], program: { kind: "none" } },
    sums: [{ name: "units", kind: "units" }],
    measurements: [],
    trees: (learned?.stages ?? []).map(stageTree),
    aggregates: [],
    outputs: [],
    post: { having: null, orderBy: [], limit: null, offset: 0 },
  };
}
