import { LetheError } from "@lethe/core";
import type { PoolClient } from "pg";
import { definitions, reachedRelations } from "./reached-relations.ts";

/**
 * Refuses relations whose rows no server keeps in tables of its own, whatever the policy says: foreign tables, foreign
 * partitions and what reads them (one line that cannot be read fails the question, and tells of that line), temporary
 * tables, and materialized views that were never filled. Errors: engine.source.
 */
export async function checkStored(client: PoolClient, table: string, relation: string): Promise<void> {
  const { rows } = await client.query<{
    readonly name: string;
    readonly own: boolean;
    readonly fault: Fault;
  }>(
    `WITH RECURSIVE ${definitions}, ${reachedRelations("SELECT $1::oid")}
     SELECT format('%I.%I', n.nspname, c.relname) AS name, c.oid = $1::oid AS own, CASE
         WHEN c.relkind = 'f' THEN 'foreign' WHEN c.relpersistence = 't' THEN 'temporary' ELSE 'empty' END AS fault
     FROM reached JOIN pg_class AS c USING (oid) JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE reached.live AND (c.relkind = 'f' OR c.relpersistence = 't' OR c.relkind = 'm' AND NOT c.relispopulated)
     ORDER BY c.oid <> $1::oid, c.oid LIMIT 1`,
    [relation],
  );
  const [found] = rows;
  if (!found) return;
  const { name, own, fault } = found;
  const [is, fix] = faults[fault];
  const subject = own ? `the relation of ${table}` : `${name}, which is read with the relation of ${table},`;
  throw new LetheError("engine.source", `${subject} ${is}`, {
    fix: fix.replaceAll("RELATION", name),
    fields: { table, relation: name },
  });
}

type Fault = "foreign" | "temporary" | "empty";
/** The description of each fault, and its remedy. */
const faults: Readonly<Record<Fault, readonly [string, string]>> = {
  foreign: [
    "is a foreign table: one line of it that cannot be read would make the question fail, which would reveal that line",
    "copy its rows into a table: CREATE TABLE … AS SELECT * FROM RELATION; and name that one",
  ],
  temporary: ["is a temporary table, which no other session can read", "name a table that stays"],
  empty: ["is a materialized view that was never filled", "REFRESH MATERIALIZED VIEW RELATION"],
};
