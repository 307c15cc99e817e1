import { LetheError } from "@lethe/core";
import { columnsOfUnits, type TablePolicy, usedColumns } from "@lethe/query";
import type { PoolClient } from "pg";

/**
 * Refuses, unless the policy says `trusted: true`, a relation that the database computes as it is read: then reading may raise
 * because of one row, call a function that gives another result each time, or give a row the values of another's. It also refuses
 * units whose texts the database takes for equal though they differ: Lethe would take one person for several.
 * Errors: engine.untrusted, naming everything that would have to be trusted.
 */
export async function checkComputed(
  client: PoolClient,
  table: string,
  policy: TablePolicy,
  relation: string,
): Promise<void> {
  if (policy.trusted) return;
  const facts = [...(await ofRelation(client, relation)), ...(await ofColumns(client, policy, relation))];
  if (facts.length === 0) return;
  throw new LetheError("engine.untrusted", `the relation of ${table} ${facts.join(", and ")}`, {
    fix: `name a table that stores these rows, units spelled one way; or, if no row can make reading it fail and no row depends on those of another unit, write trusted: true below ${table} in the policy`,
    fields: { table },
  });
}

/** The relation itself and the relations that inherit from it. */
const descendants = `below (oid) AS (
  SELECT $1::oid UNION SELECT i.inhrelid FROM below JOIN pg_inherits AS i ON i.inhparent = below.oid
)`;

async function ofRelation(client: PoolClient, relation: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly said: string }>(
    `WITH RECURSIVE ${descendants}
     SELECT DISTINCT f.place, f.said FROM below JOIN pg_class AS c USING (oid) CROSS JOIN LATERAL (VALUES
       (1, c.relkind = 'v', 'is a view'),
       (2, c.relkind = 'm', 'is a materialized view'),
       -- Of partitions and children those policies count that the relation itself has.
       (3, c.oid = $1::oid AND row_security_active(c.oid), 'has row-level security for this role'),
       -- 2 is heap, PostgreSQL's own storage.
       (4, c.relkind IN ('r', 'm') AND c.relam <> 2, 'is stored by an access method that is not PostgreSQL''s own')
     ) AS f (place, holds, said) WHERE f.holds ORDER BY f.place`,
    [relation],
  );
  return rows.map(({ said }) => said);
}

async function ofColumns(
  client: PoolClient,
  policy: TablePolicy,
  relation: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly said: string; readonly name: string }>(
    `WITH RECURSIVE ${descendants}, base (type, base) AS (
       SELECT t.oid, t.oid FROM pg_type AS t
       WHERE t.oid IN (SELECT atttypid FROM pg_attribute WHERE attrelid = $1::oid)
       UNION ALL
       SELECT base.type, t.typbasetype FROM base JOIN pg_type AS t ON t.oid = base.base WHERE t.typtype = 'd'
     )
     SELECT DISTINCT f.place, a.attname AS name, f.said
     FROM below JOIN pg_attribute AS a ON a.attrelid = below.oid AND a.attnum > 0 AND NOT a.attisdropped
     JOIN base ON base.type = a.atttypid JOIN pg_type AS t ON t.oid = base.base AND t.typtype <> 'd'
     LEFT JOIN pg_attrdef AS v ON v.adrelid = a.attrelid AND v.adnum = a.attnum
     CROSS JOIN LATERAL (VALUES
       (1, a.attgenerated = 'v', 'computes % when it is read (VIRTUAL)'),
       -- Functions and operators of PostgreSQL's own are in no pg_depend.
       (2, a.attgenerated = 's' AND EXISTS (
          SELECT FROM pg_depend AS d WHERE d.classid = 'pg_attrdef'::regclass AND d.objid = v.oid
            AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
        ), 'generates % by functions that are not PostgreSQL''s own'),
       (3, EXISTS (
          SELECT FROM pg_cast AS k WHERE k.castsource = t.oid AND k.oid >= 16384 AND k.casttarget < 16384 AND k.castmethod <> 'b'
        ), 'reads % through a cast that is not PostgreSQL''s own'),
       (4, a.attname = ANY ($3::text[]) AND (t.typname = 'citext'
          OR EXISTS (SELECT FROM pg_collation AS l WHERE l.oid = a.attcollation AND NOT l.collisdeterministic)
        ), 'takes texts of % for equal that differ, so that one unit would count as several')
     ) AS f (place, holds, said)
     WHERE a.attname = ANY ($2::text[]) AND f.holds ORDER BY f.place, a.attname`,
    [relation, usedColumns(policy), columnsOfUnits(policy)],
  );
  return rows.map(({ said, name }) => said.replace("%", name));
}
