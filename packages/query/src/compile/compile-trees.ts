import type { Dialect } from "../dialects/dialect.ts";
import type { Plan, SumColumn, TreeMeasurement } from "../plan/plan.ts";
import { brandCompiled, type CompiledQuery } from "./compiled-query.ts";
import { boundsGroups } from "./contributions/bounds-groups.ts";
import { rowsOfKeptGroups } from "./contributions/kept-groups.ts";
import { type QuestionRows, rowsFrom } from "./contributions/question-rows.ts";
import { rankedRows } from "./contributions/ranked-rows.ts";
import { rowSource } from "./relations/row-source.ts";
import type { StorageOf } from "./stored/storage-of.ts";
import { cellColumns } from "./values/result-columns.ts";
import { textKeys } from "./values/text-keys.ts";

/**
 * Compiles one statement for each tree of the plan: the exact counts of its cells, as k0 … (keys), the cell as the last key,
 * units (0), s0; empty cells are left out. It reads the same rows, and of each unit the same groups, as the plan's sums. Every
 * expression is total and every count an integer.
 */
export function compileTrees(plan: Plan, storageOf: StorageOf, dialect: Dialect): readonly CompiledQuery[] {
  return (plan.trees ?? []).map((tree) => {
    const { argument, grid } = tree;
    const read: SumColumn = { kind: "sum", argument, grid, lo: grid.lo, hi: grid.hi };
    const asked: Plan = { ...plan, sums: [read] };
    const source = rowSource(asked, storageOf, dialect);
    const isBounded = boundsGroups(plan);
    const rows = rankedRows(asked, source, dialect);
    const ofUnits = plan.unit.kind === "column" && plan.contribution.bound === "groups-after-filter";
    return brandCompiled({
      dialect: dialect.name,
      sql: ofUnits ? cellsOfUnits(plan, tree, rows, dialect) : cellsOfRows(plan, tree, rows, dialect),
      keys: plan.keys.expressions.length + 1,
      textKeys: textKeys(plan),
      sums: 1,
      needsSeed: isBounded || source.needsSeed,
    });
  });
}

/** Returns the cell of a row's grid integer, which lies within the grid; NULL where the integer is NULL. */
function cellOf({ grid, cellWidth }: TreeMeasurement, integer: string, dialect: Dialect): string {
  const lo = BigInt(grid.lo);
  const above = `(CAST(${integer} AS ${dialect.types.integer}) ${lo < 0n ? `+ ${-lo}` : `- ${lo}`})`;
  return cellWidth === "1"
    ? above
    : `CAST(${dialect.quotient(above, cellWidth)} AS ${dialect.types.integer})`;
}

function places(count: number): string {
  return Array.from({ length: count }, (_, at) => at + 1).join(", ");
}

/** Counts cells where each row is a unit, or rows are bounded by themselves: each row counts for rowWeight. */
function cellsOfRows(plan: Plan, tree: TreeMeasurement, rows: QuestionRows, dialect: Dialect): string {
  const integer = rows.gridded(tree.argument, tree.grid);
  const present = tree.argument.domain.nullable ? [`${integer} IS NOT NULL`] : [];
  const columns = cellColumns(dialect, {
    keys: rows.keys,
    cell: cellOf(tree, integer, dialect),
    count: `${dialect.wide(BigInt(tree.rowWeight))} * count(*)`,
  });
  return `SELECT ${columns} ${rowsFrom(rows, "", present)} GROUP BY ${places(plan.keys.expressions.length + 1)}`;
}

/** Counts cells over the groups that each unit keeps. Where a unit has n > r rows in a group, each counts for r/n of a row. */
function cellsOfUnits(plan: Plan, tree: TreeMeasurement, rows: QuestionRows, dialect: Dialect): string {
  const keys = rows.keys.map((_, at) => `k${at}`);
  const weight = BigInt(tree.rowWeight);
  const { rows: rowsPerGroup } = plan.contribution;
  const part = dialect.quotient(dialect.wide(weight * BigInt(rowsPerGroup)), "unit.total");
  const columns = cellColumns(dialect, {
    keys: keys.map((key) => `unit.${key}`),
    cell: "unit.cell",
    count: `sum(CASE WHEN unit.total <= ${rowsPerGroup} THEN ${dialect.wide(weight)} ELSE ${part} END)`,
  });
  const from = rowsOfKeptGroups(plan, rows, dialect);
  const weighed = ofUnitsAndGroups(tree, rows, keys, from, dialect);
  return `${rows.before}SELECT ${columns} FROM (${weighed}) AS unit WHERE unit.cell IS NOT NULL GROUP BY ${places(keys.length + 1)}`;
}

/** Returns each row's keys and cell, and the number of its unit's rows that have a cell in the group. */
function ofUnitsAndGroups(
  tree: TreeMeasurement,
  rows: QuestionRows,
  keys: readonly string[],
  from: string,
  dialect: Dialect,
): string {
  const integer = rows.gridded(tree.argument, tree.grid);
  return [
    `SELECT ${rows.keys.map((key, at) => `${key} AS ${keys[at]}, `).join("")}${cellOf(tree, integer, dialect)} AS cell,`,
    `count(${integer}) OVER (PARTITION BY ${[rows.unit, ...(rows.placed ?? []), ...rows.keys].join(", ")}) AS total ${from}`,
  ].join(" ");
}
