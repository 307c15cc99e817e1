import type { Dialect } from "../../dialects/dialect.ts";
import { printQuery } from "../../dialects/print-query.ts";
import type { ColumnExpression } from "../../expressions/expression.ts";
import { gridOf } from "../../grid/grid.ts";
import { mostRowsOfUnit } from "../../plan/unit-contribution.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { ColumnPolicy, TablePolicy } from "../../policy/policy.ts";
import type { TableRelation } from "../../relations/relation.ts";
import { type FromItem, named, rowsOf, select, table as tableNamed } from "../../sql/query.ts";
import { oneZero } from "../stored/one-zero.ts";
import { placeColumn, unitColumn } from "../stored/snapshot-select.ts";
import { type HashedKey, unitHash } from "../stored/unit-hash.ts";

/** The relation behind FROM, named `source`, and the names that columns and unit have there. */
export interface BoundedRows {
  readonly from: FromItem;
  readonly stored: (column: Pick<ColumnExpression, "name">) => string;
  readonly unit: string;
}

/**
 * Keeps the `most` rows of each unit whose hash is least; rows of nobody are dropped first. The table is named `base`. `unitName`
 * makes the unit's name from its column.
 */
export function boundedRows(
  { columns }: TableRelation,
  base: FromItem,
  most: number,
  unitName: (unit: string) => string,
  dialect: Dialect,
): BoundedRows {
  const names = new Map(Object.keys(columns).map((name, at) => [name, `c${at}`]));
  const at = (name: string): string => `base.${dialect.identifier(name)}`;
  const shown = [...[...names].map(([name, column]) => named(at(name), column)), named(at(unitColumn), "u")];
  const owned = select(shown, base, { where: [dialect.write.isPresent(at(unitColumn))] });
  const order = rowHash(unitName("owned.u"), columns, (name) => `owned.${names.get(name)}`, dialect);
  const kept = dialect.leastOfUnit({
    from: rowsOf(owned, "owned"),
    columns: [...names.values(), "u"],
    order: [order],
    most,
  });
  return {
    from: rowsOf(kept, "source"),
    stored: ({ name }) => `source.${names.get(name)}`,
    unit: "source.u",
  };
}

/**
 * Selects a snapshot's rows, each with its place in that order: an index keeps the place, so that bounding is `place <= most`.
 * All places that no policy can reach are one place. The statement's one parameter is the seed.
 * @example placedSelect(policy.tables.visits, '"visits"', duckdb)
 */
export function placedSelect(table: TablePolicy, snapshot: string, dialect: Dialect): string {
  const at = (name: string): string => `source.${dialect.identifier(name)}`;
  const unit = at(unitColumn);
  const hash = rowHash(unit, table.columns, at, dialect);
  const { write } = dialect;
  const number = write.over(write.call("row_number"), { partitionBy: [unit], orderBy: [hash] });
  const place = write.caseOf([
    [write.isPresent(unit), write.least(number, write.integer(mostRowsOfUnit + 1))],
  ]);
  const placed = select(
    ["source.*", named(place, dialect.identifier(placeColumn))],
    tableNamed(snapshot, "source"),
  );
  return printQuery(placed, dialect.words);
}

/**
 * Returns the keyed hash by which a unit's rows are ordered. It covers all columns that a policy reads, so that rows of one hash
 * are alike and it does not matter which of them is kept. Every engine keeps the same rows, and so does an index.
 */
export function rowHash(
  unit: string,
  columns: Readonly<Record<string, ColumnPolicy>>,
  stored: (name: string) => string,
  dialect: Dialect,
): string {
  const parts = Object.keys(columns)
    .sort()
    .map((name): HashedKey => {
      const column = entryOf(columns, name);
      const isDouble = column.type === "number" && gridOf(column) === null;
      return { value: isDouble ? oneZero(stored(name), dialect) : stored(name), isDouble };
    });
  return unitHash(unit, parts, dialect);
}
