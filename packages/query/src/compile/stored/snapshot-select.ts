import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnPolicy, TablePolicy } from "../../policy/policy.ts";

/**
 * The column in which a snapshot keeps the unit's name as text, beside the unit's own column. Its name is longer than any name
 * that a policy accepts, so that no other column has it.
 */
export const unitColumn: string =
  "the name of the privacy unit that this row belongs to, kept as text by import";

/** The column of the number that the dialect's textNumber gives the unit's name: a hash that is the same on every engine. */
export const numberColumn: string = "the number of the privacy unit that this row belongs to, kept by import";

/** The column that keeps the key by which other tables reach a row. */
export const keyColumn: string =
  "the key by which rows of other tables find this row, kept as text by import";

/**
 * The column of a row's place among its unit's rows, from 1 in the order of their hash: an index keeps it in a snapshot. NULL for
 * rows of nobody.
 */
export const placeColumn: string = "the place of this row among those of its privacy unit, kept by the index";

/** The columns whose text is kept as it is written, whatever cleaning makes of their values. */
export interface KeptTexts {
  /** The column that names the unit, or leads to it. */
  readonly unit: string | null;
  /** The column by which other tables reach the row. */
  readonly key: string | null;
}

export function keptTexts({ unit, key }: Pick<TablePolicy, "unit" | "key">): KeptTexts {
  if (unit.kind !== "column" && unit.kind !== "through") return { unit: null, key: null };
  return { unit: unit.column, key: key === unit.column ? null : key };
}

export interface StoredColumn {
  readonly name: string;
  /** SQL type. */
  readonly type: string;
  readonly nullable: boolean;
}

type Columns = Readonly<Record<string, ColumnPolicy>>;

/** The columns of a snapshot, in the order of {@link snapshotSelect}. */
export function snapshotColumns(table: TablePolicy, dialect: Dialect): readonly StoredColumn[] {
  const stored = Object.entries(table.columns).map(([name, column]) => ({
    name,
    type: dialect.columns.type(column),
    nullable: column.nullable,
  }));
  const { unit, key } = keptTexts(table);
  const text = (name: string): StoredColumn => ({ name, type: dialect.types.text, nullable: true });
  const number = { name: numberColumn, type: dialect.types.integer, nullable: true };
  return [
    ...stored,
    ...(unit === null ? [] : [text(unitColumn)]),
    ...(key === null ? [] : [text(keyColumn)]),
    ...(unit === null ? [] : [number]),
  ];
}

/**
 * Writes the SELECT that makes a snapshot's rows of a relation with columns of any native type: typed, cleaned, clamped, in fixed
 * point. `relation` is SQL that may stand behind FROM. Rows without a unit stay; questions drop them.
 * @example snapshotSelect(policy.tables.people, "read_csv('people.csv', all_varchar = true)", duckdb)
 */
export function snapshotSelect(table: TablePolicy, relation: string, dialect: Dialect): string {
  const clean = cleanSelect(table.columns, keptTexts(table), relation, dialect);
  if (keptTexts(table).unit === null) return clean;
  const number = dialect.textNumber(`cleaned.${dialect.identifier(unitColumn)}`);
  return `SELECT cleaned.*, ${number} AS ${dialect.identifier(numberColumn)} FROM (${clean}) AS cleaned`;
}

/**
 * Writes the same for some of the columns, as a query over a raw table reads them. `unitOf` makes the unit's name, or a text that
 * stands for it.
 */
export function cleanSelect(
  columns: Columns,
  texts: KeptTexts,
  relation: string,
  dialect: Dialect,
  types: Readonly<Record<string, string>> = {},
  unitOf: (raw: string, native?: string) => string = dialect.columns.unit,
): string {
  const { identifier, fence, isCheap } = dialect;
  const typeOf = (name: string): string | undefined => (Object.hasOwn(types, name) ? types[name] : undefined);
  const parsed: string[] = [];
  const cleaned: string[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const at = identifier(name);
    const native = typeOf(name);
    parsed.push(`${dialect.columns.parse(column, `raw.${at}`, native)} AS ${at}`);
    const clean = dialect.columns.clean(column, `parsed.${at}`, native);
    cleaned.push(`CAST(${clean} AS ${dialect.columns.type(column)}) AS ${at}`);
  }
  for (const [kept, column] of [
    [unitColumn, texts.unit],
    [keyColumn, texts.key],
  ] as const) {
    if (column === null) continue;
    const at = identifier(kept);
    const text = kept === unitColumn ? unitOf : dialect.columns.unit;
    parsed.push(`${text(`raw.${identifier(column)}`, typeOf(column))} AS ${at}`);
    cleaned.push(`parsed.${at}`);
  }
  if (parsed.length === 0) return `SELECT 1 AS nothing FROM ${relation} AS raw`;
  const end = (columns: readonly string[]): string => (columns.every(isCheap) ? "" : fence);
  const inner = `SELECT ${parsed.join(", ")} FROM ${relation} AS raw${end(parsed)}`;
  return `SELECT ${cleaned.join(", ")} FROM (${inner}) AS parsed${end(cleaned)}`;
}
