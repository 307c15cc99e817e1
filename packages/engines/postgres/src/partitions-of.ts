import type { Partitions } from "@lethe/query";
import type { PoolClient } from "pg";
import type { ColumnTypes } from "./check-schema.ts";

/**
 * The native types of which values of the same name (see the dialect's `unit`) are equal to PostgreSQL too, and so have the same hash.
 * An enumeration has another hash for the same label of another type.
 */
const namedApart: ReadonlySet<string> = new Set([
  ...["int2", "int4", "int8", "uuid", "text", "varchar", "numeric", "decimal", "date"],
]);

interface FoundPartitions {
  readonly column: string;
  readonly placement: string;
  readonly relations: readonly (readonly [string, string])[];
}

/**
 * Returns the partitions of a relation that is PARTITION BY HASH of one bare column, where reading them one by one gives the rows that reading
 * the relation gives: PostgreSQL itself keeps each row where the hash says; the role may read every partition by its own name; no
 * partition is being detached; and neither rows nor columns depend on the name that is read (row-level security,
 * GENERATED … VIRTUAL). Undefined for all others. Reads the catalog, no row.
 */
export async function partitionsOf(
  client: PoolClient,
  [schema, relation]: readonly [string, string],
  types: ColumnTypes,
): Promise<Partitions | undefined> {
  const { rows } = await client.query<FoundPartitions>(
    `SELECT a.attname AS column, json_agg(json_build_array(pn.nspname, pc.relname) ORDER BY bound.remainder, bound.modulus) AS relations,
       concat_ws(' ', o.opcfamily, p.partcollation[0], string_agg(bound.modulus || '/' || bound.remainder, ' ' ORDER BY bound.remainder, bound.modulus)) AS placement
     FROM pg_partitioned_table AS p
     JOIN pg_class AS c ON c.oid = p.partrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
     JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] AND a.attnum > 0
     JOIN pg_opclass AS o ON o.oid = p.partclass[0] AND o.opcdefault AND o.oid < 16384
     JOIN pg_inherits AS i ON i.inhparent = p.partrelid
     JOIN pg_class AS pc ON pc.oid = i.inhrelid JOIN pg_namespace AS pn ON pn.oid = pc.relnamespace
     CROSS JOIN LATERAL (
       SELECT found[1]::integer AS modulus, found[2]::integer AS remainder
       FROM regexp_match(pg_get_expr(pc.relpartbound, pc.oid), '^FOR VALUES WITH \\(modulus ([0-9]+), remainder ([0-9]+)\\)$') AS found
     ) AS bound
     WHERE n.nspname = $1 AND c.relname = $2 AND p.partstrat = 'h' AND p.partnatts = 1 AND NOT c.relrowsecurity
       AND NOT EXISTS (SELECT FROM pg_attribute AS v WHERE v.attrelid = c.oid AND v.attgenerated = 'v')
     GROUP BY a.attname, o.opcfamily, p.partcollation[0]
     HAVING count(*) >= 2 AND bool_and(coalesce(
       bound.remainder IS NOT NULL AND NOT i.inhdetachpending AND NOT pc.relrowsecurity AND pc.relkind IN ('r', 'p')
       AND has_schema_privilege(pn.oid, 'USAGE') AND has_table_privilege(pc.oid, 'SELECT')
       AND NOT EXISTS (SELECT FROM pg_attribute AS v WHERE v.attrelid = pc.oid AND v.attgenerated = 'v'), false))`,
    [schema, relation],
  );
  const [found] = rows;
  if (found === undefined || !namedApart.has(types[found.column] ?? "")) return undefined;
  return found;
}
