import type { Plan } from "../plan/plan.ts";
import { unitContribution } from "../plan/unit-contribution.ts";
import { ownsOneRow } from "../relations/owns-one-row.ts";
import { ownerOf, type Relation } from "../relations/relation.ts";
import type { Stability } from "./explanation.ts";

/** Rows of a relation that one unit's data decide: a unit's only row is one, a public row nobody's, others unbounded. */
export function stabilityOf(relation: Relation, { adjacency }: Plan): Stability {
  const rows = { public: 0, row: 1, column: ownsOneRow(relation) ? 1 : null }[ownerOf(relation)];
  return { rows: rows === null ? null : rows * sides(adjacency), groups: null };
}

/** Once contributions are bounded: r rows in each of k groups, or as many wherever they lie. */
export function limitedStability({ contribution, adjacency }: Plan): Stability {
  const { fullGroups, groups, rows } = unitContribution(contribution);
  return { rows: fullGroups * rows * sides(adjacency), groups: groups * sides(adjacency) };
}

/** A unit that is replaced takes its rows away and brings others. */
const sides = (adjacency: Plan["adjacency"]): number => (adjacency === "replace-one" ? 2 : 1);
