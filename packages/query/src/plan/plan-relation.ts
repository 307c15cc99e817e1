import { type Relation, type TableRelation, tablesOf } from "../relations/relation.ts";
import type { Plan, PlanRows } from "./plan.ts";

/** The rows that a plan is about. */
export function relationOf(plan: Plan): Relation {
  if ("from" in plan) return plan.from;
  const { table, columns, unit } = plan;
  return {
    kind: "table",
    table,
    source: null,
    unit:
      unit.kind === "row"
        ? { kind: "row" }
        : { kind: "column", column: unit.column, path: [], names: { table, column: unit.column } },
    oncePer: null,
    columns,
  };
}

/** Every table that a plan reads, each once: those asked about, and those by which their units are found. */
export function tablesRead(plan: Plan): readonly string[] {
  const all = tablesOf(relationOf(plan)).flatMap(({ table, unit }) => [
    table,
    ...(unit.kind === "column" ? unit.path.map((step) => step.table) : []),
  ]);
  return [...new Set(all)];
}

/** How a plan says which rows it is about. */
export function planRows(from: Relation): PlanRows {
  return isPlain(from) ? { table: from.table, columns: from.columns } : { from };
}

/** One table whose rows are units, or name them in a column of their own that is nobody's foreign key. */
function isPlain(from: Relation): from is TableRelation {
  if (from.kind !== "table" || from.source !== null) return false;
  const { unit, table } = from;
  return (
    unit.kind === "row" || (unit.kind === "column" && unit.names.table === table && unit.path.length === 0)
  );
}
