import type { ColumnPolicy, TablePolicy } from "@lethe/query";
import { gridOf } from "../../../../query/src/plan/grid.ts";
import { quoteIdentifier, quoteRelation, quoteText } from "../quote.ts";

/** How a table's raw columns become a snapshot's. */
export interface SnapshotConversion {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly notNull: boolean }[];
  /** The SELECT over the raw relation that gives the columns, in order. */
  select(source: readonly string[]): string;
}

export function snapshotConversion(policy: TablePolicy): SnapshotConversion {
  const cols = Object.entries(policy.columns);
  const columns = cols.map(([name, c]) => ({ name, type: typeOf(c), notNull: !c.nullable }));
  const list = cols.map(([name, c]) => `${clean(c, quoteIdentifier(name))} AS ${quoteIdentifier(name)}`);
  if (policy.unit.kind === "column" && !(policy.unit.column in policy.columns)) {
    columns.push({ name: policy.unit.column, type: "VARCHAR", notNull: true });
    list.push(
      `CAST(${quoteIdentifier(policy.unit.column)} AS VARCHAR) AS ${quoteIdentifier(policy.unit.column)}`,
    );
  }
  const where =
    policy.unit.kind === "column" ? ` WHERE ${quoteIdentifier(policy.unit.column)} IS NOT NULL` : "";
  return { columns, select: (source) => `SELECT ${list.join(", ")} FROM ${quoteRelation(source)}${where}` };
}
function typeOf(c: ColumnPolicy): string {
  if (c.type === "text") return "VARCHAR";
  if (c.type === "boolean") return "BOOLEAN";
  const g = gridOf(c);
  if (!g) return "DOUBLE";
  return -(2 ** 31) < Number(g.lo) && Number(g.hi) < 2 ** 31 ? "INTEGER" : "BIGINT";
}
function clean(c: ColumnPolicy, name: string): string {
  if (c.type === "text") {
    const v = `left(CAST(${name} AS VARCHAR), ${c.maxLength})`;
    const kept = c.categories
      ? `CASE WHEN ${v} IN (${c.categories.map(quoteText).join(", ")}) THEN ${v} END`
      : v;
    return c.default === null ? kept : `coalesce(${kept}, ${quoteText(c.default)})`;
  }
  if (c.type === "boolean") return `TRY_CAST(${name} AS BOOLEAN)`;
  const g = gridOf(c);
  const v = `TRY_CAST(${name} AS DOUBLE)`;
  if (!g) return v;
  const max = "1.7976931348623157e308";
  const scaled = `(${v} * ${2 ** -g.exponent}::DOUBLE)`;
  const otherwise = c.default === null ? "NULL" : String(Math.round(c.default * 2 ** -g.exponent));
  return `CASE WHEN ${scaled} BETWEEN ${g.lo} AND ${g.hi} THEN CAST(${scaled} AS BIGINT) WHEN ${v} BETWEEN -${max} AND ${max} THEN CASE WHEN ${v} > 0 THEN ${g.hi} ELSE ${g.lo} END ELSE ${otherwise} END`;
}
