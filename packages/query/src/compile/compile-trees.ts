import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../dialects/dialect.ts";
import { printStatement } from "../dialects/print-statement.ts";
import type { NamedSum, Plan, TreeMeasurement } from "../plan/plan.ts";
import { columnsOf, type Join, named, places, type Query, rowsOf, select, withTables } from "../sql/query.ts";
import { brandCompiled, type CompiledQuery } from "./compiled-query.ts";
import { joinsOfKeptGroups } from "./contributions/kept-groups.ts";
import { limitGroups } from "./contributions/limit-groups.ts";
import type { LimitedGroups } from "./contributions/limited-groups.ts";
import { type QuestionRows, selectRows } from "./contributions/question-rows.ts";
import { physicalPlan } from "./physical/physical-plan.ts";
import { rowSource } from "./relations/row-source.ts";
import { unitPartitions } from "./relations/unit-partitions.ts";
import type { StorageOf } from "./stored/storage-of.ts";
import { cellsAddedUp } from "./values/added-up.ts";
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
    const read: NamedSum = { name: tree.name, kind: "sum", argument, grid, lo: grid.lo, hi: grid.hi };
    const asked: Plan = { ...plan, sums: [read] };
    const physicals = unitPartitions(asked, storageOf).map((of, _, { length }) =>
      physicalPlan(asked, rowSource(asked, of, dialect), dialect, length > 1),
    );
    const cells = physicals.map((physical) => {
      const limited = limitGroups(physical, dialect);
      return physical.addsUp === "rows"
        ? cellsOfRows(plan, tree, limited.rows, dialect)
        : cellsOfUnits(plan, tree, limited, dialect);
    });
    return brandCompiled({
      dialect: dialect.name,
      sql: printStatement(cellsAddedUp(cells, plan, dialect), dialect),
      keys: plan.keys.parts.length + 1,
      textKeys: textKeys(plan),
      sums: 1,
      needsSeed: elementAt(physicals, 0).needsSeed,
    });
  });
}

/** Returns the cell of a row's grid integer, which lies within the grid; NULL where the integer is NULL. */
function cellOf({ grid, cellWidth }: TreeMeasurement, integer: string, dialect: Dialect): string {
  const { write, quotient } = dialect;
  const lo = BigInt(grid.lo);
  const i = write.cast(integer, "integer");
  const above = write.enclosed(
    lo < 0n ? write.plus(i, write.integer(-lo)) : write.minus(i, write.integer(lo)),
  );
  return cellWidth === "1" ? above : write.cast(quotient(above, cellWidth), "integer");
}

/** Counts cells where each row is a unit, or rows are bounded by themselves: each row counts for rowWeight. */
function cellsOfRows(plan: Plan, tree: TreeMeasurement, rows: QuestionRows, dialect: Dialect): Query {
  const { write, wide } = dialect;
  const integer = rows.gridded(tree.argument, tree.grid);
  const columns = cellColumns(dialect, {
    keys: rows.keys,
    cell: cellOf(tree, integer, dialect),
    count: write.times(wide(BigInt(tree.rowWeight)), write.count()),
  });
  return selectRows(columns, rows, {
    where: tree.argument.domain.nullable ? [write.isPresent(integer)] : [],
    groupBy: places(plan.keys.parts.length + 1),
  });
}

/** Counts cells over the groups that each unit keeps. Where a unit has n > r rows in a group, each counts for r/n of a row. */
function cellsOfUnits(plan: Plan, tree: TreeMeasurement, limited: LimitedGroups, dialect: Dialect): Query {
  const { rows } = limited;
  const { write, wide, quotient } = dialect;
  const keys = rows.keys.map((_, at) => `k${at}`);
  const weight = BigInt(tree.rowWeight);
  const { rows: rowsPerGroup } = plan.contribution;
  const part = quotient(wide(weight * BigInt(rowsPerGroup)), "unit.total");
  const isFew = write.compare("unit.total", "<=", write.integer(rowsPerGroup));
  const share = write.caseOf([[isFew, wide(weight)]], part);
  const columns = cellColumns(dialect, {
    keys: columnsOf("unit", keys),
    cell: "unit.cell",
    count: write.sum(limited.pairs === null ? share : write.times(write.enclosed(share), "unit.n")),
  });
  const { pairs } = limited;
  const cells =
    pairs === null
      ? ofUnitsAndGroups(tree, limited, keys, joinsOfKeptGroups(plan, limited, dialect), dialect)
      : ofUnitsAndCells(tree, rows, keys, pairs, dialect);
  const weighed = rowsOf(cells, "unit");
  const counted = select(columns, weighed, {
    where: [write.isPresent("unit.cell")],
    groupBy: places(keys.length + 1),
  });
  return withTables(rows.before, counted);
}

/** Returns each row's keys and cell, and the number of its unit's rows that have a cell in the group. */
function ofUnitsAndGroups(
  tree: TreeMeasurement,
  { rows, sortedBy }: LimitedGroups,
  keys: readonly string[],
  joins: readonly Join[],
  dialect: Dialect,
): Query {
  const { write } = dialect;
  const integer = rows.gridded(tree.argument, tree.grid);
  const total = write.over(write.count(integer), {
    partitionBy: [rows.unit, ...sortedBy, ...rows.keys],
    orderBy: [],
  });
  return selectRows(
    [
      ...rows.keys.map((key, at) => named(key, elementAt(keys, at))),
      named(cellOf(tree, integer, dialect), "cell"),
      named(total, "total"),
    ],
    rows,
    { joins },
  );
}

/** Returns the keys and the cells of each unit's rows, how many of its rows are in each, and how many have a cell in the group. */
function ofUnitsAndCells(
  tree: TreeMeasurement,
  rows: QuestionRows,
  keys: readonly string[],
  pairs: NonNullable<LimitedGroups["pairs"]>,
  dialect: Dialect,
): Query {
  const { write } = dialect;
  const integer = rows.gridded(tree.argument, tree.grid);
  const read = [
    named(rows.unit, "u"),
    ...rows.keys.map((key, at) => named(key, elementAt(keys, at))),
    named(cellOf(tree, integer, dialect), "cell"),
  ];
  const counted = selectRows([...read, named(write.count(integer), "n")], rows, {
    groupBy: places(read.length),
  });
  const columns = ["u", ...keys, "cell", "n"];
  const kept = pairs({ query: counted, unit: rows.unit, columns, isOneEach: false });
  const group = { partitionBy: columnsOf("own", ["u", ...keys]), orderBy: [] };
  const total = named(write.over(write.sum("own.n"), group), "total");
  return select([...columnsOf("own", [...keys, "cell", "n"]), total], rowsOf(kept, "own"));
}
