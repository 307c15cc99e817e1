import type { Policy, SourcesRead } from "@lethe/query";
import type { AskCatalog } from "./check-server.ts";
import type { TrinoAddress } from "./client/trino-address.ts";
import { relationFacts } from "./relation-facts.ts";
import { relationName } from "./relation-name.ts";

/**
 * The relations that are read for each table of a policy. One source may be reached through several catalogs, such as Hive's and Iceberg's over one metastore, so that schema and name
 * alone are compared. Null for a view, since Trino does not tell a user who may only read what it is made of. A relation that is not there reads nothing. Reads the catalog, no row.
 */
export async function sourcesRead(
  ask: AskCatalog,
  { tables }: Policy,
  address: Pick<TrinoAddress, "catalog" | "schema">,
): Promise<SourcesRead> {
  const read = await Promise.all(
    Object.entries(tables).map(
      async ([table, policy]): Promise<readonly [string, readonly string[] | null]> => {
        const relation = relationName(table, policy, address);
        const facts = await relationFacts(ask, relation);
        const [, schema, name] = relation;
        if (facts === null) return [table, []];
        return [table, facts.isView || facts.isMaterializedView ? null : [`${schema}.${name}`]];
      },
    ),
  );
  return new Map(read);
}
