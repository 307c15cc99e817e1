import type { Dialect } from "../dialects/dialect.ts";
import type { ColumnPolicy, TablePolicy } from "../policy/policy.ts";

/**
 * Under which a snapshot keeps the unit's name as text, beside the unit's own column. Longer than any name that a policy
 * accepts, so that it is nobody's column.
 */
export const unitColumn: string =
  "the name of the privacy unit that this row belongs to, kept as text by import";

export interface StoredColumn {
  readonly name: string;
  /** SQL type. */
  readonly type: string;
  readonly nullable: boolean;
}

type Columns = Readonly<Record<string, ColumnPolicy>>;
type Unit = TablePolicy["unit"];

/** The columns of a snapshot, in the order of {@link snapshotSelect}. */
export function snapshotColumns(table: TablePolicy, dialect: Dialect): readonly StoredColumn[] {
  const stored = Object.entries(table.columns).map(([name, column]) => ({
    name,
    type: dialect.columns.type(column),
    nullable: column.nullable,
  }));
  if (table.unit.kind === "row") return stored;
  return [...stored, { name: unitColumn, type: dialect.types.text, nullable: true }];
}

/**
 * The SELECT that makes a snapshot's rows of a relation with columns of any native type: typed, cleaned, clamped, in
 * fixed point. `relation` is SQL that may stand behind FROM. Rows without a unit stay; questions drop them.
 * @example snapshotSelect(policy.tables.people, "read_csv('people.csv', all_varchar = true)", duckdb)
 */
export function snapshotSelect(table: TablePolicy, relation: string, dialect: Dialect): string {
  return cleanSelect(table.columns, table.unit, relation, dialect);
}

/** The same for some of the columns, as a query over a raw table reads them. */
export function cleanSelect(columns: Columns, unit: Unit, relation: string, dialect: Dialect): string {
  const { identifier } = dialect;
  const parsed: string[] = [];
  const cleaned: string[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const at = identifier(name);
    parsed.push(`${dialect.columns.parse(column, `raw.${at}`)} AS ${at}`);
    cleaned.push(
      `CAST(${dialect.columns.clean(column, `parsed.${at}`)} AS ${dialect.columns.type(column)}) AS ${at}`,
    );
  }
  if (unit.kind === "column") {
    const at = identifier(unitColumn);
    parsed.push(`${dialect.columns.unit(`raw.${identifier(unit.column)}`)} AS ${at}`);
    cleaned.push(`parsed.${at}`);
  }
  if (parsed.length === 0) return `SELECT 1 AS nothing FROM ${relation} AS raw`;
  return `SELECT ${cleaned.join(", ")} FROM (SELECT ${parsed.join(", ")} FROM ${relation} AS raw) AS parsed`;
}
