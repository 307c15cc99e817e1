import type { RangeVar } from "@pgsql/types";
import type { Domain } from "../../expressions/domain.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { nodesOf } from "../names/nodes.ts";
import { fieldNames } from "../names/scope.ts";
import { type OverScope, shownAs } from "./over-scope.ts";

/** A public table of the policy. */
export interface PublicTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
}

/** Returns whether a text may read a column of this name: an answer is kept beside the columns that it reads, and no others. */
export function columnsRead(tree: unknown): (name: string) => boolean {
  const names = new Set<string>();
  for (const { fields } of nodesOf<{ readonly fields?: Parameters<typeof fieldNames>[0] }>(
    "ColumnRef",
    tree,
  )) {
    const last = fieldNames(fields)?.at(-1);
    // A star reads all columns.
    if (last === undefined) return () => true;
    names.add(last.toLowerCase());
  }
  for (const using of nodesOf<Parameters<typeof fieldNames>[0]>("usingClause", tree))
    for (const name of fieldNames(using) ?? []) names.add(name.toLowerCase());
  return (name) => names.has(name.toLowerCase());
}

/** Returns the rows of a public table that an item of FROM names. They are read once somebody pays for the answers beside them. */
export function publicScope(
  { name: table, columns }: PublicTable,
  { alias, relname = table }: RangeVar,
  isRead: (name: string) => boolean,
): OverScope {
  const source = alias?.aliasname ?? relname;
  const all = Object.entries(columns).map(([name, column]) => ({ name, type: typeOf(column) }));
  const read = all.filter(({ name }) => isRead(name));
  // Rows of which no column is read are still rows.
  const kept = read.length > 0 ? read : all.slice(0, 1);
  const shown = kept.map(({ name, type }) => ({ source, name, column: `${source}.${name}`, type }));
  return {
    relation: {
      kind: "shown",
      of: { kind: "values", table, columns: kept, rows: [] },
      columns: shown.map((column) => shownAs(column.column, { ...column, column: column.name })),
    },
    columns: shown,
  };
}

function typeOf({ type }: ColumnPolicy): Domain["type"] {
  return type === "integer" ? "number" : type;
}
