import type { Expression } from "../bind/expression.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Plan, SumColumn, TreeMeasurement } from "../plan/plan.ts";
import { isIntegerKey } from "../plan/release-program.ts";
import { brandCompiled, type CompiledQuery } from "./compiled-query.ts";
import { type QuestionRows, questionRows } from "./question-rows.ts";
import { cellColumns } from "./result-columns.ts";
import { rowSource, type StorageOf } from "./row-source.ts";
import { declaredOnly, keepGroups, mayExceed } from "./units-own-rows.ts";

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

/** Of a unit's groups those that are kept; of n > r rows in one of them each counts for r/n of a row. */
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
  const weighed = mayExceed(plan, plan.contribution.groups)
    ? ofKeptGroups(plan, tree, rows, keys, dialect)
    : ofAllGroups(tree, rows, keys, dialect);
  return `SELECT ${columns} FROM (${weighed}) AS unit WHERE unit.cell IS NOT NULL GROUP BY ${places(keys.length + 1)}`;
}

/** Each row's keys, cell, and the number of its unit's rows that have a cell in the group. */
function ofAllGroups(
  tree: TreeMeasurement,
  rows: QuestionRows,
  keys: readonly string[],
  dialect: Dialect,
): string {
  const integer = rows.gridded(tree.argument, tree.grid);
  return [
    `SELECT ${rows.keys.map((key, at) => `${key} AS ${keys[at]}, `).join("")}${cellOf(tree, integer, dialect)} AS cell,`,
    `count(${integer}) OVER (PARTITION BY ${[rows.unit, ...rows.keys].join(", ")}) AS total FROM ${rows.from}`,
  ].join(" ");
}

/** The same of those rows that lie in a group that their unit keeps: the groups that the plan's sums keep. */
function ofKeptGroups(
  plan: Plan,
  tree: TreeMeasurement,
  rows: QuestionRows,
  keys: readonly string[],
  dialect: Dialect,
): string {
  const integer = rows.gridded(tree.argument, tree.grid);
  const declared = declaredOnly(plan, rows, dialect);
  const own = [`${rows.unit} AS u`, ...rows.keys.map((key, at) => `${key} AS ${keys[at]}`)].join(", ");
  const groups = `SELECT ${own}, count(${integer}) AS total FROM ${rows.from}${declared} GROUP BY ${places(keys.length + 1)}`;
  const kept = keepGroups(plan, groups, keys, ["u", "total"], plan.contribution.groups, dialect);
  const cells = `SELECT ${own}, ${cellOf(tree, integer, dialect)} AS cell FROM ${rows.from}${declared}`;
  const same = keys.flatMap((key, at) => sameKey(key, plan.keys.expressions[at]!, dialect));
  const shown = [...keys.map((key) => `part.${key}`), "part.cell", "kept.total"].join(", ");
  return `SELECT ${shown} FROM (${cells}) AS part JOIN (${kept}) AS kept ON ${["part.u = kept.u", ...same].join(" AND ")}`;
}

/**
 * Keys that are the same, or both NULL, as equalities: engines look up those, and would else compare every row of a unit
 * with each of its k groups.
 */
function sameKey(key: string, expression: Expression, dialect: Dialect): readonly string[] {
  const { type } = expression.domain;
  const something = isIntegerKey(expression)
    ? "0"
    : type === "number"
      ? dialect.double(0)
      : type === "boolean"
        ? "FALSE"
        : dialect.text("");
  const [value, missing] = [`coalesce(%.${key}, ${something})`, `(%.${key} IS NULL)`];
  return [value, missing].map((side) => `${side.replace("%", "part")} = ${side.replace("%", "kept")}`);
}
