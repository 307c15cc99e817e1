import type { ColumnRef, Node, RangeVar, SelectStmt } from "@pgsql/types";

/** For each table that may be named behind its schema where the text stands: its name, and the schema as FROM writes it. */
type Tables = ReadonlyMap<string, string>;

/**
 * Leaves the schema out of schema.table.column, as Metabase writes every column, where the nearest FROM that has a source of this name has the table of that schema, under no alias. Any other is
 * left as it is, which resolving refuses. Changes the tree.
 * @example placeSchemas(select of "SELECT public.visits.ward FROM public.visits …") // SELECT visits.ward FROM public.visits …
 */
export function placeSchemas(select: SelectStmt): void {
  const open: (readonly [object, Tables])[] = [[select, new Map()]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, around] = next;
    const { fromClause } = node as { readonly fromClause?: readonly Node[] };
    const tables = fromClause ? withSources(fromClause, around) : around;
    for (const inner of Object.values(node))
      if (typeof inner === "object" && inner !== null) open.push([inner, tables]);
    if (Object.hasOwn(node, "ColumnRef")) leaveOut((node as { ColumnRef: ColumnRef }).ColumnRef, tables);
  }
}

function withSources(from: readonly Node[], around: Tables): Tables {
  const tables = new Map(around);
  const open = [...from];
  for (let node = open.pop(); node; node = open.pop()) {
    if ("JoinExpr" in node && !node.JoinExpr.alias) {
      const { larg, rarg } = node.JoinExpr;
      for (const side of [larg, rarg]) if (side) open.push(side);
      continue;
    }
    const [source = {}]: readonly Partial<RangeVar>[] = Object.values(node);
    const name = source.alias?.aliasname ?? source.relname;
    if (name === undefined) continue;
    if (source.alias || source.schemaname === undefined) tables.delete(name);
    else tables.set(name, source.schemaname);
  }
  return tables;
}

function leaveOut(reference: ColumnRef, tables: Tables): void {
  const [schema, table, ...column] = reference.fields ?? [];
  if (column.length !== 1 || !schema || !table || !("String" in schema) || !("String" in table)) return;
  const stated = tables.get(table.String.sval ?? "");
  if (stated !== undefined && stated === schema.String.sval) reference.fields = [table, ...column];
}
