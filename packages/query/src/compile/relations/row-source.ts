import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression } from "../../expressions/expression.ts";
import type { Plan } from "../../plan/plan.ts";
import { unitContribution } from "../../plan/unit-contribution.ts";
import { type Relation, type TableRelation, tablesOf } from "../../relations/relation.ts";
import { type FromItem, rowsOf, table as tableNamed } from "../../sql/query.ts";
import { cleanSelect, numberColumn, placeColumn, unitColumn } from "../stored/snapshot-select.ts";
import type { StorageOf, TableStorage } from "../stored/storage-of.ts";
import { reader, type StoredReader } from "../stored/stored-reader.ts";
import { boundedRows } from "./bounded-rows.ts";
import { relationRows } from "./relation-rows.ts";

/** The rows of a plan as they are stored: a snapshot as it lies, a raw relation cleaned into the same columns, a join of such. */
export interface RowSource extends StoredReader {
  /** The relation behind FROM, named `source`. */
  readonly from: FromItem;
  /** Returns a column as it is stored: a grid integer, a double, a text, a boolean. */
  readonly stored: (column: ColumnExpression) => string;
  /** The text that tells units apart: their name, or a number that no other unit has. */
  readonly unit: string;
  /** The text from which the unit's name is made. */
  readonly named: string;
  /** Returns the unit's name, made from the text that stands for the unit. */
  readonly unitName: (unit: string) => string;
  /** The number of the unit's name, where it is stored. */
  readonly unitNumber: string | null;
  /** Whether the rows are made by joins, which are better not made twice. */
  readonly isDear: boolean;
  /** The conditions that the rows have yet to meet: that they belong to a unit, or are among the rows that a unit may have. */
  readonly conditions: readonly string[];
  /** Whether the seed decides which rows there are. */
  readonly needsSeed: boolean;
}

/** The rows that a plan is about, whatever is computed of them. */
export type PlannedRows = Pick<Plan, "from" | "where" | "unit" | "contribution">;

export function rowSource(plan: PlannedRows, storageOf: StorageOf, dialect: Dialect): RowSource {
  const relation = plan.from;
  if (isOneTable(relation)) {
    const storage = storageOf(relation.table);
    const { table, unitName } = tableSource(relation, storage, dialect);
    const most = rowsOfUnit(plan);
    if (most !== null && !storage.hasPlaces) {
      const { from, stored, unit } = boundedRows(relation, table("base"), most, unitName, dialect);
      return {
        ...{ from, stored, unit, named: unit, unitName, unitNumber: null, isDear: false },
        ...{ conditions: [], needsSeed: true },
        ...reader(relation, stored, dialect),
      };
    }
    const at = (name: string): string => `source.${dialect.identifier(name)}`;
    const stored = ({ name }: ColumnExpression): string => at(name);
    const named = at(unitColumn);
    const unit = storage.layout === "snapshot" && storage.hasUnitNumbers ? at(numberColumn) : named;
    const owned = plan.unit.kind === "column" ? [dialect.write.isPresent(unit)] : [];
    const isNumbered = storage.layout === "snapshot" && plan.unit.kind === "column" && most === null;
    const { write } = dialect;
    const conditions = most === null ? owned : [write.compare(at(placeColumn), "<=", write.integer(most))];
    return {
      from: table("source"),
      stored,
      unit,
      named,
      unitName,
      unitNumber: isNumbered ? at(numberColumn) : null,
      isDear: false,
      conditions,
      needsSeed: false,
      ...reader(relation, stored, dialect),
    };
  }
  const { query, column } = relationRows(relation, storageOf, dialect);
  const stored = (read: ColumnExpression): string => `source.${column(read)}`;
  return {
    from: rowsOf(query, "source"),
    stored,
    unit: "source.u",
    named: "source.u",
    unitName: asIs,
    unitNumber: null,
    isDear: true,
    conditions: [],
    needsSeed: tablesOf(relation).some(({ limits = [] }) => limits.some(({ per }) => per.startsWith("unit"))),
    ...reader(relation, stored, dialect),
  };
}

/** Returns the most rows that a unit may have in the table, where rows are bounded before the filter; null otherwise. */
function rowsOfUnit({ contribution, unit }: PlannedRows): number | null {
  if (contribution.limit === "groups-after-filter" || unit.kind === "row") return null;
  return unitContribution(contribution).rows;
}

/** Whether a relation is the question's only table, and its own column names the unit. */
function isOneTable(relation: Relation): relation is TableRelation {
  if (relation.kind !== "table" || relation.source !== null) return false;
  return relation.unit.kind !== "column" || relation.unit.path.length === 0;
}

const asIs = (name: string): string => name;

/** Returns a table under any name, and how its units' names are made. */
function tableSource(
  { columns, unit }: TableRelation,
  storage: TableStorage,
  dialect: Dialect,
): { readonly table: (as: string) => FromItem; readonly unitName: RowSource["unitName"] } {
  const relation = storage.relation.map(dialect.identifier).join(".");
  if (storage.layout === "snapshot") return { table: (as) => tableNamed(relation, as), unitName: asIs };
  const column = unit.kind === "column" ? unit.column : null;
  const { ownUnit } = dialect.columns;
  const unitOf = (raw: string, native?: string): string => ownUnit(raw, native).value;
  const types = storage.types ?? {};
  const native = column !== null && Object.hasOwn(types, column) ? types[column] : undefined;
  const cleaned = cleanSelect(columns, { unit: column, key: null }, relation, dialect, types, unitOf);
  return {
    table: (as) => rowsOf(cleaned, as),
    unitName: (value) => ownUnit(value, native).name(value),
  };
}
