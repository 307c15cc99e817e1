import type { Dialect } from "../dialects/dialect.ts";
import type { Plan, SumColumn, TreeMeasurement } from "../plan/plan.ts";
import { brandCompiled, type CompiledQuery } from "./compiled-query.ts";
import { type QuestionRows, questionRows } from "./question-rows.ts";
import { cellColumns } from "./result-columns.ts";
import { rowSource, type StorageOf } from "./row-source.ts";
import { declaredOnly, groupOrder, mayExceed } from "./units-own-rows.ts";

/**
 * One statement a tree of the plan: the exact counts of its cells, k0 … (keys), the cell as the last key, units (0), s0;
 * cells that hold nothing are left out. The same rows, and of each unit the same groups, as for the plan's sums. Every
 * expression is total and every count an integer.
 */
export function compileTrees(plan: Plan, storageOf: StorageOf, dialect: Dialect): readonly CompiledQuery[] {
  return (plan.trees ?? []).map((tree) => {
    const { argument, grid } = tree;
    const read: SumColumn = { kind: "sum", argument, grid, lo: grid.lo, hi: grid.hi };
    const asked: Plan = { ...plan, sums: [read] };
    const source = rowSource(asked, storageOf, dialect);
    const rows = questionRows(asked, source, dialect);
    const ofUnits = plan.unit.kind === "column" && plan.contribution.bound === "groups-after-filter";
    return brandCompiled({
      dialect: dialect.name,
      sql: ofUnits ? cellsOfUnits(plan, tree, rows, dialect) : cellsOfRows(plan, tree, rows, dialect),
      keys: plan.keys.expressions.length + 1,
      sums: 1,
      needsSeed: ofUnits ? mayExceed(plan, plan.contribution.groups) : source.needsSeed,
    });
  });
}

/** The cell of a row's grid integer, which lies within the grid; NULL where that is. */
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

/** Each row is a unit, or bounded by itself: it counts for rowWeight. */
function cellsOfRows(plan: Plan, tree: TreeMeasurement, rows: QuestionRows, dialect: Dialect): string {
  const integer = rows.gridded(tree.argument, tree.grid);
  const present = tree.argument.domain.nullable
    ? `${rows.filtered ? " AND" : " WHERE"} ${integer} IS NOT NULL`
    : "";
  const columns = cellColumns(dialect, {
    keys: rows.keys,
    cell: cellOf(tree, integer, dialect),
    count: `${dialect.wide(BigInt(tree.rowWeight))} * count(*)`,
  });
  return `SELECT ${columns} FROM ${rows.from}${present} GROUP BY ${places(plan.keys.expressions.length + 1)}`;
}

/** A unit's rows a cell; of its groups those that are kept; of n > r rows in one of them r, spread as the n are. */
function cellsOfUnits(plan: Plan, tree: TreeMeasurement, rows: QuestionRows, dialect: Dialect): string {
  const { groups, rows: rowsPerGroup } = plan.contribution;
  const keys = rows.keys.map((_, at) => `k${at}`);
  const integer = rows.gridded(tree.argument, tree.grid);
  const selects = mayExceed(plan, groups);
  // Rows without a value are rows of the group all the same: they bear on which groups a unit keeps.
  const owned = [
    `${rows.unit} AS u`,
    ...rows.keys.map((key, at) => `${key} AS k${at}`),
    `${cellOf(tree, integer, dialect)} AS cell`,
    "count(*) AS n",
  ].join(", ");
  const perCell = `SELECT ${owned} FROM ${rows.from}${selects ? declaredOnly(plan, rows, dialect) : ""} GROUP BY ${places(keys.length + 2)}`;
  const at = (name: string): string => `owned.${name}`;
  // Ranks are those of groups: the cells of one share theirs, and two groups never do.
  const order = [groupOrder(plan, keys, dialect), ...keys.map(at)].join(", ");
  const place = selects ? `, dense_rank() OVER (PARTITION BY owned.u ORDER BY ${order}) AS place` : "";
  const total = `sum(CASE WHEN owned.cell IS NOT NULL THEN owned.n END) OVER (PARTITION BY ${["u", ...keys].map(at).join(", ")}) AS total`;
  const ranked = `SELECT ${[...keys, "cell", "n"].map(at).join(", ")}, ${total}${place} FROM (${perCell}) AS owned`;
  const kept = `unit.cell IS NOT NULL${selects ? ` AND unit.place <= ${groups}` : ""}`;
  const weight = BigInt(tree.rowWeight);
  const [whole, part] = [dialect.wide(weight), dialect.wide(weight * BigInt(rowsPerGroup))];
  const count =
    `sum(CASE WHEN unit.total <= ${rowsPerGroup} THEN ${whole} * unit.n ` +
    `ELSE ${dialect.quotient(`(${part} * unit.n)`, "unit.total")} END)`;
  const columns = cellColumns(dialect, {
    keys: keys.map((key) => `unit.${key}`),
    cell: "unit.cell",
    count,
  });
  return `SELECT ${columns} FROM (${ranked}) AS unit WHERE ${kept} GROUP BY ${places(keys.length + 1)}`;
}
