import type { Policy, SourcesRead } from "@lethe/query";
import type { PoolClient } from "pg";
import { definitions, reachedRelations } from "./reached-relations.ts";
import { relationName } from "./relation-name.ts";

/**
 * The relations that are read for each table of a policy, by oid. Null where a definition calls a function or an operator that the
 * server did not come with, which may read anything. Reads the catalog, no row; a relation that is not there reads nothing.
 */
export async function sourcesRead(client: PoolClient, { tables }: Policy): Promise<SourcesRead> {
  const names = Object.entries(tables).map(([name, table]) => {
    const [schema, relation] = relationName(name, table);
    return { name, schema, relation };
  });
  const { rows } = await client.query<{
    readonly name: string;
    readonly read: readonly string[];
    readonly hidden: boolean;
  }>(
    `WITH RECURSIVE asked (name, oid) AS (
       SELECT asked.name, c.oid
       FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (name, schema, relation)
         JOIN pg_namespace AS n ON n.nspname = asked.schema
         JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = asked.relation
     ), ${definitions}, ${reachedRelations("SELECT oid FROM asked")}
     SELECT asked.name, array_agg(DISTINCT reached.oid::text) AS read, bool_or(EXISTS (
         SELECT FROM definitions AS d
         WHERE d.of = reached.oid AND d.class IN ('pg_proc'::regclass, 'pg_operator'::regclass))) AS hidden
     FROM asked JOIN reached ON reached.root = asked.oid GROUP BY asked.name`,
    [names.map(({ name }) => name), names.map(({ schema }) => schema), names.map(({ relation }) => relation)],
  );
  return new Map(rows.map(({ name, read, hidden }) => [name, hidden ? null : read]));
}
