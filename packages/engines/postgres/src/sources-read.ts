import type { Policy, SourcesRead } from "@lethe/query";
import type { PoolClient } from "pg";
import { relationName } from "./relation-name.ts";

/**
 * The relations that are read for each table of a policy, by oid: its own, partitions and tables that inherit from it, and what views
 * and materialized views are defined over, through any number of them. Null where a view calls a function that the server did not
 * come with, which may read anything. Reads the catalog, no row; a relation that is not there reads nothing.
 */
export async function sourcesRead(client: PoolClient, { tables }: Policy): Promise<SourcesRead> {
  const names = Object.entries(tables).map(([name, table]) => [name, ...relationName(name, table)] as const);
  const { rows } = await client.query<{
    readonly name: string;
    readonly read: readonly string[];
    readonly hidden: boolean;
  }>(
    `WITH RECURSIVE reached (name, oid) AS (
       SELECT asked.name, c.oid
       FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (name, schema, relation)
         JOIN pg_namespace AS n ON n.nspname = asked.schema
         JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = asked.relation
       UNION
       SELECT reached.name, next.oid
       FROM reached CROSS JOIN LATERAL (
         SELECT i.inhrelid AS oid FROM pg_inherits AS i WHERE i.inhparent = reached.oid
         UNION ALL
         SELECT d.refobjid FROM pg_rewrite AS w JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
         WHERE w.ev_class = reached.oid AND d.refclassid = 'pg_class'::regclass
       ) AS next
     )
     SELECT reached.name, array_agg(reached.oid::text) AS read, bool_or(EXISTS (
         SELECT FROM pg_rewrite AS w JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
         WHERE w.ev_class = reached.oid AND d.refclassid = 'pg_proc'::regclass)) AS hidden
     FROM reached GROUP BY reached.name`,
    [0, 1, 2].map((part) => names.map((each) => each[part]!)),
  );
  return new Map(rows.map(({ name, read, hidden }) => [name, hidden ? null : read]));
}
