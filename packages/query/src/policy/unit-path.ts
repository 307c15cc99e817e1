import { entryOf } from "./entry-of.ts";
import type { ColumnOfTable, Policy } from "./policy.ts";

/** The way in which a row is known to belong to a unit. */
export type UnitPath =
  | { readonly kind: "row" }
  | { readonly kind: "public" }
  | {
      readonly kind: "column";
      /** The row's own column: it names the unit, or the first key to look up. */
      readonly column: string;
      /** Keys to look up until a column names the unit; empty where the row's own column does. */
      readonly path: readonly UnitStep[];
      /** The column whose values are the units: rows of two tables are one unit's only where these are the same. */
      readonly names: ColumnOfTable;
    };

/** The rows of `table` with this `key` hold the next name in `column`. */
export interface UnitStep {
  readonly table: string;
  readonly key: string;
  readonly column: string;
}

/**
 * Returns the way from a table's rows to their units. A foreign key to a column that itself leads on is followed without a
 * look-up: visits.person_id → people.id names the unit, whatever people holds.
 */
export function unitPath(policy: Policy, table: string): UnitPath {
  const { unit } = entryOf(policy.tables, table);
  if (unit.kind === "row" || unit.kind === "public") return { kind: unit.kind };
  const path: UnitStep[] = [];
  let names: ColumnOfTable = { table, column: unit.column };
  let at: Policy["tables"][string] = entryOf(policy.tables, table);
  while (at.unit.kind === "through") {
    const target = at.unit.references;
    const next = entryOf(policy.tables, target.table);
    if (next.unit.kind !== "column" && next.unit.kind !== "through") break;
    if (target.column !== next.unit.column)
      path.push({ table: target.table, key: target.column, column: next.unit.column });
    names = { table: target.table, column: next.unit.column };
    at = next;
  }
  return { kind: "column", column: unit.column, path, names };
}

/**
 * Returns the column whose values a column's values are, by the policy's keys alone: names of units, or of rows of a table. Two
 * columns with the same result, where they are equal, lead to the same unit. Null for every other column.
 */
export function keyNamed(policy: Policy, table: string, column: string): ColumnOfTable | null {
  const { unit, key } = entryOf(policy.tables, table);
  if (unit.kind === "column" && unit.column === column) return { table, column };
  if (unit.kind === "through" && unit.column === column)
    return keyNamed(policy, unit.references.table, unit.references.column);
  const isOwned = unit.kind === "column" || unit.kind === "through";
  return isOwned && key === column ? { table, column } : null;
}

/**
 * Whether a unit may have no rows in any one of the tables: several private tables hold the units' rows, however each names its
 * units, or the database computes the rows of the only one and may leave a unit's out. Under replace-one somebody may then be
 * replaced by somebody whose rows lie elsewhere.
 */
export function sharesUnits(policy: Policy): boolean {
  const held = Object.values(policy.tables).filter(({ unit }) => unit.kind !== "public");
  return held.length > 1 || held.some(({ trusted }) => trusted);
}
