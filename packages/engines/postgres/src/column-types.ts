import type { PoolClient } from "pg";

/**
 * Returns the types of the columns that the role may read. A domain counts as its base type, any enumeration as "enum",
 * numeric(p, s) as "decimal" where no value of it overflows or underflows a double (see make_numeric_typmod in PostgreSQL's
 * numeric.c). Composite types, ranges and types that are not PostgreSQL's own are "unreadable": whatever their text is, code of
 * others writes it.
 */
export async function columnTypes(
  client: PoolClient,
  relation: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `WITH RECURSIVE base (type, base) AS (
       SELECT t.oid, t.oid FROM pg_type AS t
       WHERE t.oid IN (SELECT atttypid FROM pg_attribute WHERE attrelid = $1)
       UNION ALL
       SELECT base.type, t.typbasetype FROM base JOIN pg_type AS t ON t.oid = base.base WHERE t.typtype = 'd'
     )
     SELECT a.attname AS name, CASE
         WHEN t.typtype = 'e' THEN 'enum'
         WHEN t.typname = 'citext' AND t.typtype = 'b' AND EXISTS (
           SELECT FROM pg_depend AS d JOIN pg_extension AS x ON x.oid = d.refobjid
           WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
             AND d.refclassid = 'pg_extension'::regclass AND x.extname = 'citext') THEN 'citext'
         WHEN t.typtype <> 'b' OR t.typnamespace <> 'pg_catalog'::regnamespace THEN 'unreadable'
         WHEN t.typname = 'numeric' AND a.atttypmod >= 4
           AND ((a.atttypmod - 4) >> 16) & 65535 <= 300
           AND (((a.atttypmod - 4) & 2047) # 1024) - 1024 BETWEEN 0 AND 300 THEN 'decimal'
         ELSE t.typname
       END AS type
     FROM pg_attribute AS a
     JOIN base ON base.type = a.atttypid
     JOIN pg_type AS t ON t.oid = base.base AND t.typtype <> 'd'
     WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
       AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')`,
    [relation],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}
