import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { columnsOf, places, type Query, rowsOf, select, unionAll } from "../../sql/query.ts";
import { cellColumns, resultColumns } from "./result-columns.ts";

/** Adds up the results of a plan over parts of its units, group by group. Of one part it is the part itself. */
export function addedUp(parts: readonly Query[], plan: Plan, dialect: Dialect): Query {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const { write } = dialect;
  const columns = resultColumns(plan, dialect, {
    keys: keysOf(plan),
    units: write.sum("part.units"),
    sums: plan.sums.map((_, at) => write.sum(`part.s${at}`)),
  });
  return select(columns, rowsOf(unionAll(parts), "part"), { groupBy: places(plan.keys.parts.length) });
}

/** Adds up the cells of a tree over parts of the plan's units. */
export function cellsAddedUp(parts: readonly Query[], plan: Plan, dialect: Dialect): Query {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const keys = plan.keys.parts.length;
  const columns = cellColumns(dialect, {
    keys: keysOf(plan),
    cell: `part.k${keys}`,
    count: dialect.write.sum("part.s0"),
  });
  return select(columns, rowsOf(unionAll(parts), "part"), { groupBy: places(keys + 1) });
}

function keysOf(plan: Plan): readonly string[] {
  return columnsOf(
    "part",
    plan.keys.parts.map((_, at) => `k${at}`),
  );
}
