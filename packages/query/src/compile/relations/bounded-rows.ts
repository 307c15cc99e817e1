import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression } from "../../expressions/expression.ts";
import { gridOf } from "../../grid/grid.ts";
import { mostRowsOfUnit } from "../../plan/unit-reach.ts";
import type { ColumnPolicy, TablePolicy } from "../../policy/policy.ts";
import type { TableRelation } from "../../relations/relation.ts";
import { placeColumn, unitColumn } from "../stored/snapshot-select.ts";
import { type HashedKey, unitHash } from "../stored/unit-hash.ts";

/** The relation behind FROM, named `source`, and the names that columns and unit have there. */
export interface BoundedRows {
  readonly from: string;
  readonly stored: (column: Pick<ColumnExpression, "name">) => string;
  readonly unit: string;
}

/**
 * Keeps the `most` rows of each unit whose hash is least; rows of nobody are dropped first. `unitName` makes the unit's name from
 * its column.
 */
export function boundedRows(
  { columns }: TableRelation,
  table: string,
  most: number,
  unitName: (unit: string) => string,
  dialect: Dialect,
): BoundedRows {
  const names = new Map(Object.keys(columns).map((name, at) => [name, `c${at}`]));
  const at = (name: string): string => `base.${dialect.identifier(name)}`;
  const owned = [...[...names].map(([name, column]) => `${at(name)} AS ${column}`), `${at(unitColumn)} AS u`];
  const relation = `(SELECT ${owned.join(", ")} FROM ${table} AS base WHERE ${at(unitColumn)} IS NOT NULL) AS owned`;
  const order = rowHash(unitName("owned.u"), columns, (name) => `owned.${names.get(name)}`, dialect);
  const kept = dialect.leastOfUnit({ relation, columns: [...names.values(), "u"], order, most });
  return {
    from: `(${kept}) AS source`,
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
  const number = `row_number() OVER (PARTITION BY ${unit} ORDER BY ${hash})`;
  const place = `CASE WHEN ${unit} IS NOT NULL THEN least(${number}, ${mostRowsOfUnit + 1}) END`;
  return `SELECT source.*, ${place} AS ${dialect.identifier(placeColumn)} FROM ${snapshot} AS source`;
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
      const column = columns[name]!;
      const isDouble = column.type === "number" && gridOf(column) === null;
      // −0 and 0 are one number, which engines may keep either way.
      return { value: isDouble ? `(${stored(name)} + ${dialect.double(0)})` : stored(name), isDouble };
    });
  return unitHash(unit, parts, dialect);
}
