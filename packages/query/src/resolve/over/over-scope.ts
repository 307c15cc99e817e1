import type { ColumnRef, Node } from "@pgsql/types";
import type { Domain } from "../../expressions/domain.ts";
import type { OverColumn, OverRelation } from "../../over/over-relation.ts";
import { nearestName } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import { fieldNames, resolveName } from "../names/scope.ts";
import type { TypedPost } from "../post/post-call.ts";

/** A column that expressions over an answer can name. */
export interface OverScopeColumn {
  /** The name by which a table of FROM is qualified; null of a column that is no table's. */
  readonly source: string | null;
  /** The name by which the question speaks of it. */
  readonly name: string;
  /** The name that it has in the relation. */
  readonly column: string;
  readonly type: Domain["type"];
}

/** Rows of a SELECT over an answer, with the columns that can be named. */
export interface OverScope {
  readonly relation: OverRelation;
  readonly columns: readonly OverScopeColumn[];
}

/** Returns the column that a reference names. Errors: query.unknown-column, query.unsupported for a name of several. */
export function overColumn(ref: ColumnRef, { columns }: OverScope): OverScopeColumn | null {
  const names = fieldNames(ref.fields);
  if (!names || names.length > 2) return null;
  const [source, name] = names.length === 2 ? names : [null, names[0]];
  if (name === undefined) return null;
  const within = columns.filter((column) => source === null || sameName(source, column.source));
  const exact = within.filter((column) => column.name === name);
  const found = exact.length > 0 ? exact : within.filter((column) => sameName(name, column.name));
  const [one, other] = found;
  if (one && other)
    refuse(
      "query.unsupported",
      `${JSON.stringify(name)} could be several columns`,
      `write ${one.source}.${one.name} or ${other.source}.${other.name}`,
      ref.location,
    );
  return one ?? null;
}

function sameName(asked: string, known: string | null | undefined): boolean {
  return known !== null && known !== undefined && resolveName(asked, [known]) !== null;
}

/** Refuses a column that the rows of an answer do not have. */
export function refuseColumn(ref: ColumnRef, { columns }: OverScope): never {
  const name = fieldNames(ref.fields)?.join(".") ?? "*";
  const known = columns.map((column) => column.name);
  const near = nearestName(name, known);
  return refuse(
    "query.unknown-column",
    `the answer has no column ${JSON.stringify(name)}`,
    near === null ? `write one of: ${known.slice(0, 12).join(", ")}` : `write ${near}`,
    ref.location,
  );
}

/** Returns a column as an expression. */
export function columnValue({ column, type }: Pick<OverScopeColumn, "column" | "type">): TypedPost {
  return { expression: { kind: "key", key: column }, type, size: 1 };
}

/** Returns a column that is shown as it is, under another name. */
export function shownAs(name: string, { column, type }: OverScopeColumn): OverColumn {
  return { name, type, expression: { kind: "key", key: column } };
}

/** Whether a node is * or t.*, and of which table. */
export function starOf(node: Node): { readonly source: string | null } | null {
  if (!("ColumnRef" in node)) return null;
  const fields = node.ColumnRef.fields ?? [];
  const last = fields.at(-1);
  if (!last || !("A_Star" in last)) return null;
  const [first] = fields;
  return { source: first && "String" in first ? (first.String.sval ?? "") : null };
}
