import type { Expression } from "../bind/expression.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { TableStorage } from "../engine.ts";
import { gridOf } from "../plan/grid.ts";
import type { Grid, Plan } from "../plan/plan.ts";
import { compareStored } from "./compare-stored.ts";
import type { ColumnReader } from "./compile-expression.ts";
import { cleanSelect, unitColumn } from "./snapshot-select.ts";

/** The rows of a plan's table as stored: a snapshot as it lies, or a raw relation cleaned into the same columns. */
export interface RowSource extends ColumnReader {
  /** Behind FROM, named `source`. */
  readonly from: string;
  /** A column as it is stored: a grid integer, a double, a text, a boolean. */
  readonly stored: (name: string) => string;
  readonly unit: string;
}

export function rowSource(plan: Plan, storage: TableStorage, dialect: Dialect): RowSource {
  const relation = storage.relation.map(dialect.identifier).join(".");
  const from =
    storage.layout === "snapshot"
      ? `${relation} AS source`
      : `(${cleanSelect(plan.columns, plan.unit, relation, dialect)}) AS source`;
  const stored = (name: string): string => `source.${dialect.identifier(name)}`;
  return {
    from,
    stored,
    value: (name) => columnValue(plan, name, stored(name), dialect),
    compared: (name, operator, constant) => {
      const grid = gridOf(plan.columns[name]!);
      return grid && compareStored(stored(name), operator, constant, grid.exponent);
    },
    unit: stored(unitColumn),
  };
}

/** i · 2^exponent, exactly: both are doubles, and i has at most 53 bits. */
function columnValue(plan: Plan, name: string, stored: string, dialect: Dialect): string {
  const column = plan.columns[name]!;
  const grid = gridOf(column);
  if (grid === null) return stored;
  const number = `CAST(${stored} AS ${dialect.types.double})`;
  return grid.exponent === 0 ? number : `(${number} * ${dialect.double(2 ** grid.exponent)})`;
}

/** The name of a bare column whose stored integers are already those of this grid. */
export function storedOnGrid(plan: Plan, argument: Expression, grid: Grid): string | null {
  if (argument.kind !== "column") return null;
  const stored = gridOf(plan.columns[argument.name]!);
  return stored && stored.exponent === grid.exponent && stored.lo === grid.lo && stored.hi === grid.hi
    ? argument.name
    : null;
}
