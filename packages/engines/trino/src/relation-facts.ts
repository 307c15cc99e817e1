import type { AskCatalog } from "./check-server.ts";
import { quoteName, quoteText } from "./quote.ts";
import type { TrinoRelation } from "./relation-name.ts";

/** What a server's catalog says of a relation. */
export interface RelationFacts {
  /** The types of its columns by name, as Trino spells them. */
  readonly types: ReadonlyMap<string, string>;
  readonly isView: boolean;
  readonly isMaterializedView: boolean;
  /** The connector of its catalog, such as iceberg. */
  readonly connector: string;
}

/** Returns what the catalog says of a relation; null where there is none that the role may know of. One statement, which reads no row. */
export async function relationFacts(
  ask: AskCatalog,
  [catalog, schema, name]: TrinoRelation,
): Promise<RelationFacts | null> {
  const is = `table_schema = ${quoteText(schema)} AND table_name = ${quoteText(name)}`;
  const own = `${quoteName(catalog)}.information_schema`;
  const rows = await ask(
    `SELECT 'column', column_name, data_type FROM ${own}.columns WHERE ${is}
     UNION ALL SELECT 'relation', table_type, '' FROM ${own}.tables WHERE ${is}
     UNION ALL SELECT 'materialized', '', '' FROM system.metadata.materialized_views
       WHERE catalog_name = ${quoteText(catalog)} AND schema_name = ${quoteText(schema)} AND name = ${quoteText(name)}
     UNION ALL SELECT 'connector', connector_name, '' FROM system.metadata.catalogs WHERE catalog_name = ${quoteText(catalog)}`,
  );
  const said = (what: string): string | undefined => textAt(rows.find(([kind]) => kind === what)?.[1]);
  const kind = said("relation");
  if (kind === undefined) return null;
  const columns = rows.filter(([what]) => what === "column");
  return {
    types: new Map(columns.map(([, column, type]) => [textAt(column) ?? "", textAt(type) ?? ""])),
    isView: kind === "VIEW",
    isMaterializedView: said("materialized") !== undefined,
    connector: said("connector") ?? "",
  };
}

function textAt(cell: unknown): string | undefined {
  return typeof cell === "string" ? cell : undefined;
}
