import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { ListRelation } from "../../relations/relation.ts";
import { list, named, type Query, select } from "../../sql/query.ts";
import type { RelationNames } from "./relation-names.ts";

/** The rows of a list as a SELECT: each value as a column of its type is stored. A list of which no value is read has as many rows all the same. */
export function listRows(
  { source, names: columns, columns: policies, rows }: ListRelation,
  names: RelationNames,
  dialect: Dialect,
): Query {
  const { write } = dialect;
  const at = columns.map((_, place) => `v${place}`);
  const written = rows.map((row) =>
    row.length === 0 ? [write.integer(0)] : row.map((value) => cell(value, dialect)),
  );
  const shown = columns.map((name, place) => {
    const value = `listed.${elementAt(at, place)}`;
    const type = policies[name]?.type;
    const stored = isWhole(type) ? write.cast(value, "integer") : value;
    return named(stored, names.ofSource(source, name));
  });
  return select(shown, list(written, "listed", at.length === 0 ? ["v0"] : at));
}

function isWhole(type: ColumnPolicy["type"] | undefined): boolean {
  return type === "integer" || type === "date" || type === "timestamp";
}

function cell(value: string | number | boolean, { write, text }: Dialect): string {
  if (typeof value === "boolean") return write.truth(value);
  return typeof value === "string" ? text(value) : write.integer(value);
}
