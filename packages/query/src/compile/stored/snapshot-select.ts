import type { Dialect } from "../../dialects/dialect.ts";
import { printColumn, printQuery } from "../../dialects/print-query.ts";
import type { ColumnPolicy, TablePolicy } from "../../policy/policy.ts";
import {
  type FromItem,
  named,
  type Query,
  rowsOf,
  type SelectColumn,
  select,
  table as tableNamed,
} from "../../sql/query.ts";

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
  const number = { name: numberColumn, type: dialect.types.integer, nullable: true };
  return [...cleanedColumns(table, dialect), ...(keptTexts(table).unit === null ? [] : [number])];
}

/** The columns of {@link cleanedSelect}, in its order: those of a snapshot but for the number of the unit. */
export function cleanedColumns(table: TablePolicy, dialect: Dialect): readonly StoredColumn[] {
  const stored = Object.entries(table.columns).map(([name, column]) => ({
    name,
    type: dialect.columns.type(column),
    nullable: column.nullable,
  }));
  const { unit, key } = keptTexts(table);
  const text = (name: string): StoredColumn => ({ name, type: dialect.types.text, nullable: true });
  return [
    ...stored,
    ...(unit === null ? [] : [text(unitColumn)]),
    ...(key === null ? [] : [text(keyColumn)]),
  ];
}

/**
 * Writes the SELECT that makes a snapshot's rows of a relation with columns of any native type: typed, cleaned, clamped, in fixed
 * point. `relation` is SQL that may stand behind FROM, and `types` are native types where the dialect's text depends on them. Rows without a unit stay; questions drop them.
 * @example snapshotSelect(policy.tables.people, "read_csv('people.csv', all_varchar = true)", duckdb)
 */
export function snapshotSelect(
  table: TablePolicy,
  relation: string,
  dialect: Dialect,
  types: Readonly<Record<string, string>> = {},
): string {
  const clean = cleanSelect(table.columns, keptTexts(table), relation, dialect, types);
  if (keptTexts(table).unit === null) return printQuery(clean, dialect.words);
  return numberedSelect(rowsOf(clean, "cleaned"), dialect);
}

/**
 * Writes the SELECT that makes a snapshot's rows of those that {@link cleanedSelect} gave on another engine.
 * @example frozenSelect(policy.tables.people, "staging.people", duckdb)
 */
export function frozenSelect(table: TablePolicy, relation: string, dialect: Dialect): string {
  const cleaned = tableNamed(relation, "cleaned");
  if (keptTexts(table).unit === null) return printQuery(select(["cleaned.*"], cleaned), dialect.words);
  return numberedSelect(cleaned, dialect);
}

/** Adds the number of the unit's name to cleaned rows. */
function numberedSelect(cleaned: FromItem, dialect: Dialect): string {
  const number = dialect.textNumber(`cleaned.${dialect.identifier(unitColumn)}`);
  const numbered = select(["cleaned.*", named(number, dialect.identifier(numberColumn))], cleaned);
  return printQuery(numbered, dialect.words);
}

/**
 * Writes the SELECT that makes a snapshot's rows of a relation, but for the numbers of units: what one engine reads for another to keep. Its columns are
 * those of {@link cleanedColumns}.
 */
export function cleanedSelect(
  table: TablePolicy,
  relation: string,
  dialect: Dialect,
  types: Readonly<Record<string, string>>,
): string {
  return printQuery(cleanSelect(table.columns, keptTexts(table), relation, dialect, types), dialect.words);
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
): Query {
  const { identifier, isCheap, write } = dialect;
  const typeOf = (name: string): string | undefined => (Object.hasOwn(types, name) ? types[name] : undefined);
  const parsed: SelectColumn[] = [];
  const cleaned: SelectColumn[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const at = identifier(name);
    const native = typeOf(name);
    parsed.push(named(dialect.columns.parse(column, `raw.${at}`, native), at));
    const clean = dialect.columns.clean(column, `parsed.${at}`, native);
    cleaned.push(named(write.castTo(clean, dialect.columns.type(column)), at));
  }
  for (const [kept, column] of [
    [unitColumn, texts.unit],
    [keyColumn, texts.key],
  ] as const) {
    if (column === null) continue;
    const at = identifier(kept);
    const text = kept === unitColumn ? unitOf : dialect.columns.unit;
    parsed.push(named(text(`raw.${identifier(column)}`, typeOf(column)), at));
    cleaned.push(`parsed.${at}`);
  }
  const raw = tableNamed(relation, "raw");
  if (parsed.length === 0) return select([], raw);
  const once = (columns: readonly SelectColumn[]): boolean =>
    !columns.every((column) => isCheap(printColumn(column)));
  const inner = select(parsed, raw, { once: once(parsed) });
  return select(cleaned, rowsOf(inner, "parsed"), { once: once(cleaned) });
}
