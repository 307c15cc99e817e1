import type { Expression } from "../../expressions/expression.ts";
import { atKey } from "../../policy/entry-of.ts";
import { listsOf, ownerOf, type Relation, tablesOf } from "../relation.ts";
import { joinGraph, type LookedAmong, pairsGraph } from "./join-graph.ts";
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
  /** Found one after the other, as far as they are asked for: each takes time with the number of sets of tables. */
  readonly occurrences: () => Iterable<Occurrence>;
  /** Returns the rows of one unit. */
  readonly ofUnit: () => number;
}

/**
 * Returns the most joined rows that one row of a private table may have a part in, over all places where its table stands: in the
 * whole relation, and in every part of it that is written or that an engine may join first. Infinity where nothing bounds them.
 */
export function joinedRows(relation: Relation): number {
  return mostRows(relation, Number.POSITIVE_INFINITY);
}

/** Whether {@link joinedRows} is more than a number. Where it is, the rest is not looked at. */
export function joinsMoreThan(relation: Relation, most: number): boolean {
  return mostRows(relation, most) > most;
}

/** Returns the joined rows, or a part of them that is more than `enough`. */
function mostRows(relation: Relation, enough: number): number {
  if (!meetsRows(relation)) return 1;
  const sums = new Map<string, number>();
  for (const { table, widest } of workOf(relation).occurrences()) {
    sums.set(table, (sums.get(table) ?? 0) + widest);
    if (atKey(sums, table) > enough) break;
  }
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
  return tablesOf(relation).length + listsOf(relation).length > 1;
}

function workOf(relation: Relation): Work {
  switch (relation.kind) {
    case "table":
    case "list":
      return joinedWork(relation);
    case "grouped": {
      const { occurrences, ofUnit } = workOf(relation.of);
      if (Object.keys(relation.keys).length > 0) return { occurrences, ofUnit };
      return {
        *occurrences() {
          for (const each of occurrences()) yield { ...each, rows: 1 };
        },
        ofUnit: () => 1,
      };
    }
    case "windowed":
      return workOf(relation.of);
    case "union": {
      const parts = relation.parts.map(({ of }) => workOf(of));
      return {
        *occurrences() {
          for (const part of parts) yield* part.occurrences();
        },
        ofUnit: () => parts.reduce((sum, part) => sum + part.ofUnit(), 0),
      };
    }
    case "filter":
    case "semijoin":
    case "marked":
    case "join":
      return joinedWork(relation);
  }
}

function joinedWork(relation: Relation): Work {
  const unitRows = (of: Relation): number => workOf(of).ofUnit();
  const graph = joinGraph(relation, unitRows);
  const ofUnit = (): number => metRows(graph, null).whole;
  return {
    *occurrences() {
      const asked = graph.looks.map((look) => metRows(pairsGraph(look, 1, unitRows), 0).widest);
      for (const [at, { of, isPrivate }] of graph.leaves.entries()) {
        if (!isPrivate) continue;
        const { whole, widest } = metRows(graph, at);
        const within =
          of.kind === "table" ? [{ table: of.table, rows: 1, widest: 1 }] : workOf(of).occurrences();
        for (const each of within)
          yield {
            table: each.table,
            rows: each.rows * whole,
            widest: Math.max(each.widest, each.rows * widest * Math.max(1, ...asked)),
          };
      }
      const owned = graph.looks.filter(({ among }) => ownerOf(among) !== "public");
      const rows = owned.length === 0 ? 0 : ofUnit();
      for (const look of owned) yield* lookedAt(look, rows);
    },
    ofUnit,
  };
}

/** Yields the private tables among whose rows others look. One such row may decide of all `rows` that its unit has in the whole. */
function* lookedAt(look: LookedAmong, rows: number): Iterable<Occurrence> {
  const unitRows = (of: Relation): number => workOf(of).ofUnit();
  const pairs = pairsGraph(look, unitRows(look.of), unitRows);
  for (const [at, { of, isPrivate }] of pairs.leaves.entries()) {
    if (at === 0 || !isPrivate) continue;
    const { widest } = metRows(pairs, at);
    const within = of.kind === "table" ? [{ table: of.table, rows: 1, widest: 1 }] : workOf(of).occurrences();
    for (const each of within)
      yield {
        table: each.table,
        rows: each.rows * rows,
        widest: Math.max(each.widest, each.rows * Math.max(widest, rows)),
      };
  }
}
