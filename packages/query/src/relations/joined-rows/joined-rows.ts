import type { Expression } from "../../expressions/expression.ts";
import { type Relation, tablesOf } from "../relation.ts";
import { type JoinGraph, joinGraph, semijoinGraph } from "./join-graph.ts";
import { metRows } from "./met-rows.ts";

/** The most rows that one private row may stand in, in a question that is answered. */
export const mostJoinedRows = 1000;

/** One place where a private table stands. */
interface Occurrence {
  readonly table: string;
  /** The rows of the relation that one row of the table has a part in. */
  readonly rows: number;
  /** The most such rows, in the relation and in all relations that it is made of. */
  readonly widest: number;
}

interface Work {
  readonly occurrences: readonly Occurrence[];
  /** The rows of one unit. */
  readonly ofUnit: number;
}

/**
 * Returns the most joined rows that one row of a private table may have a part in, over all places where its table stands: in the
 * whole relation, and in every part of it that is written or that an engine may join first. Infinity where nothing bounds them.
 */
export function joinedRows(relation: Relation): number {
  const sums = new Map<string, number>();
  for (const { table, widest } of workOf(relation).occurrences)
    sums.set(table, (sums.get(table) ?? 0) + widest);
  return Math.max(1, ...sums.values());
}

/** Returns a question's relation with its WHERE as a filter above it, which engines may take for a condition of the joins. */
export function questionsRows({
  from,
  where,
}: {
  readonly from: Relation;
  readonly where: Expression | null;
}): Relation {
  return where === null ? from : { kind: "filter", of: from, where };
}

/** Whether a relation joins or looks up anything. */
export function meetsRows(relation: Relation): boolean {
  return tablesOf(relation).length > 1;
}

function workOf(relation: Relation): Work {
  switch (relation.kind) {
    case "table":
      return joinedWork(relation);
    case "grouped": {
      const { occurrences, ofUnit } = workOf(relation.of);
      if (Object.keys(relation.keys).length > 0) return { occurrences, ofUnit };
      return { occurrences: occurrences.map((each) => ({ ...each, rows: 1 })), ofUnit: 1 };
    }
    case "windowed":
      return workOf(relation.of);
    case "union": {
      const parts = relation.parts.map(({ of }) => workOf(of));
      return {
        occurrences: parts.flatMap(({ occurrences }) => occurrences),
        ofUnit: parts.reduce((sum, { ofUnit }) => sum + ofUnit, 0),
      };
    }
    case "filter":
    case "semijoin":
    case "join":
      return joinedWork(relation);
  }
}

function joinedWork(relation: Relation): Work {
  const graph = joinGraph(relation, (of) => workOf(of).ofUnit);
  const asked = graph.semijoins.map((semijoin) => metRows(semijoinGraph(semijoin), 0).widest);
  const occurrences = graph.leaves.flatMap(({ of, isPrivate }, at): readonly Occurrence[] => {
    if (!isPrivate) return [];
    const { whole, widest } = metRows(graph, at);
    const within = of.kind === "table" ? [{ table: of.table, rows: 1, widest: 1 }] : workOf(of).occurrences;
    return within.map((each) => ({
      table: each.table,
      rows: each.rows * whole,
      widest: Math.max(each.widest, each.rows * widest * Math.max(1, ...asked)),
    }));
  });
  return { occurrences, ofUnit: rowsOfUnit(graph) };
}

function rowsOfUnit(graph: JoinGraph): number {
  return metRows(graph, null).whole;
}
