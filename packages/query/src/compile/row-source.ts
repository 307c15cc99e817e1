import type { ColumnExpression, Expression } from "../bind/expression.ts";
import type { Relation, TableRelation } from "../bind/relation.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { TableStorage } from "../engine.ts";
import { gridOf } from "../plan/grid.ts";
import type { Grid, Plan } from "../plan/plan.ts";
import { relationOf } from "../plan/plan-relation.ts";
import { joinedRows } from "./joined-rows.ts";
import { cleanSelect, unitColumn } from "./snapshot-select.ts";
import { reader, type StoredReader } from "./stored-reader.ts";

/** How each table lies in the database. */
export type StorageOf = (table: string) => TableStorage;

/** The rows of a plan as stored: a snapshot as it lies, a raw relation cleaned into the same columns, a join of such. */
export interface RowSource extends StoredReader {
  /** Behind FROM, named `source`. */
  readonly from: string;
  /** A column as it is stored: a grid integer, a double, a text, a boolean. */
  readonly stored: (column: ColumnExpression) => string;
  readonly unit: string;
  /** Whether there are rows of nobody, which are yet to be dropped. */
  readonly unitMayBeNull: boolean;
}

export function rowSource(plan: Plan, storageOf: StorageOf, dialect: Dialect): RowSource {
  const relation = relationOf(plan);
  if (isOneTable(relation)) {
    const from = tableText(relation, storageOf(relation.table), dialect);
    const stored = ({ name }: ColumnExpression): string => `source.${dialect.identifier(name)}`;
    const unit = `source.${dialect.identifier(unitColumn)}`;
    const unitMayBeNull = plan.unit.kind === "column";
    return { from, stored, unit, unitMayBeNull, ...reader(relation, stored, dialect) };
  }
  const { sql, column } = joinedRows(relation, storageOf, dialect);
  const stored = (read: ColumnExpression): string => `source.${column(read)}`;
  return {
    from: `(${sql}) AS source`,
    stored,
    unit: "source.u",
    unitMayBeNull: false,
    ...reader(relation, stored, dialect),
  };
}

/** Whose own column names the unit, and that no other table shares the question with. */
function isOneTable(relation: Relation): relation is TableRelation {
  if (relation.kind !== "table" || relation.source !== null) return false;
  return relation.unit.kind !== "column" || relation.unit.path.length === 0;
}

function tableText({ columns, unit }: TableRelation, storage: TableStorage, dialect: Dialect): string {
  const relation = storage.relation.map(dialect.identifier).join(".");
  if (storage.layout === "snapshot") return `${relation} AS source`;
  const texts = { unit: unit.kind === "column" ? unit.column : null, key: null };
  return `(${cleanSelect(columns, texts, relation, dialect, storage.types)}) AS source`;
}

/** The bare column whose stored integers are already those of this grid. */
export function storedOnGrid(source: RowSource, argument: Expression, grid: Grid): ColumnExpression | null {
  if (argument.kind !== "column") return null;
  const stored = gridOf(source.policy(argument));
  return stored && stored.exponent === grid.exponent && stored.lo === grid.lo && stored.hi === grid.hi
    ? argument
    : null;
}
