import { ownerOf, type Relation } from "../bind/relation.ts";
import type { Plan } from "../plan/plan.ts";
import type { Stability } from "./explanation.ts";

/** Rows of a relation that one unit's data decide: a row that is a unit is one, a public row nobody's, others unbounded. */
export function stabilityOf(relation: Relation, { adjacency }: Plan): Stability {
  const rows = { public: 0, row: 1, column: null }[ownerOf(relation)];
  return { rows: rows === null ? null : rows * sides(adjacency), groups: null };
}

/** Once contributions are bounded: k groups, r rows in each. */
export function boundedStability({ contribution, adjacency }: Plan): Stability {
  const { groups, rows } = contribution;
  return { rows: groups * rows * sides(adjacency), groups: groups * sides(adjacency) };
}

/** A unit that is replaced takes its rows away and brings others. */
const sides = (adjacency: Plan["adjacency"]): number => (adjacency === "replace-one" ? 2 : 1);
