import { LetheError } from "@lethe/core";
import {
  type Catalog,
  type CatalogColumn,
  type CatalogForeignKey,
  type CatalogKey,
  type CatalogRelation,
  postgresTypes,
} from "@lethe/query";
import pg from "pg";
import { checkServer } from "./check-server.ts";
import { columnTypes } from "./column-types.ts";
import { EndingClient } from "./ending-client.ts";
import { defaultLimits } from "./limits.ts";
import { beginReading, endReading } from "./session.ts";

/**
 * Returns the declarations of the server's catalog about the relations that this role may read. Reads pg_catalog alone: no row of
 * a relation, no statistics, no default or CHECK, which may quote values. Errors: engine.source; the URL is in none.
 * @example await describePostgres(process.env.LETHE_DATABASE_URL ?? null)
 */
export async function describePostgres(url: string | null): Promise<Catalog> {
  try {
    const pool = new pg.Pool({
      ...(url === null ? {} : { connectionString: url }),
      application_name: "lethe",
      connectionTimeoutMillis: 10_000,
      Client: EndingClient,
      max: 1,
    });
    pool.on("error", () => undefined);
    // One that is cut fails the next statement, and must not end the process.
    pool.on("connect", (client) => client.on("error", () => undefined));
    try {
      return await described(pool);
    } finally {
      await pool.end();
    }
  } catch (error) {
    if (error instanceof LetheError) throw error;
    const { code } = error as { readonly code?: unknown };
    const reason = typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
    throw new LetheError("engine.source", `the database cannot be asked${reason}`, {
      fix: "check that the server runs, and that the variable holds postgres://role@host/database",
    });
  }
}

async function described(pool: pg.Pool): Promise<Catalog> {
  const client = await pool.connect();
  let failed = true;
  try {
    await beginReading(client, defaultLimits);
    await checkServer(client);
    const relations: CatalogRelation[] = [];
    for (const { id, schema, name, kind } of await relationsOf(client)) {
      const columns = await columnsOf(client, id);
      const [keys, foreignKeys] = [await keysOf(client, id), await foreignKeysOf(client, id)];
      relations.push({ schema, name, kind, columns, keys, foreignKeys });
    }
    await endReading(client);
    failed = false;
    return { relations };
  } finally {
    client.release(failed);
  }
}

interface Found {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: CatalogRelation["kind"];
}

/** Returns the relations without partitions, whose rows are those of their table. */
async function relationsOf(client: pg.PoolClient): Promise<readonly Found[]> {
  const { rows } = await client.query<Found>(
    `SELECT c.oid::text AS id, n.nspname AS schema, c.relname AS name,
       CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
       AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')
       AND has_schema_privilege(n.oid, 'USAGE')
       AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))`,
  );
  return rows;
}

type Native = Pick<CatalogColumn, "name" | "native" | "labels"> & { readonly deterministic: boolean };

/** Returns the columns that the role may read. */
async function columnsOf(client: pg.PoolClient, relation: string): Promise<readonly CatalogColumn[]> {
  const { rows } = await client.query<Native>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS native,
       coalesce((SELECT c.collisdeterministic FROM pg_collation AS c WHERE c.oid = a.attcollation), true) AS deterministic,
       ARRAY(SELECT e.enumlabel::text FROM pg_enum AS e WHERE e.enumtypid = a.atttypid ORDER BY e.enumsortorder) AS labels
     FROM pg_attribute AS a
     WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
       AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
     ORDER BY a.attnum`,
    [relation],
  );
  const types = await columnTypes(client, relation);
  return rows.map(({ name, native, labels, deterministic }) => {
    const type = types.get(name);
    const readable = type !== undefined && postgresTypes.includes(type);
    return {
      name,
      native,
      labels,
      type: readable ? (declarations[type] ?? "text") : null,
      spelling: readable && deterministic ? (spellings[type] ?? null) : null,
    };
  });
}

/** The type by which a policy declares a native type; texts, addresses, identifiers and the like are texts. */
const declarations: Readonly<Record<string, CatalogColumn["type"]>> = {
  int2: "integer",
  int4: "integer",
  int8: "integer",
  float4: "number",
  float8: "number",
  decimal: "number",
  numeric: "number",
  bool: "boolean",
  date: "date",
  timestamp: "timestamp",
  timestamptz: "timestamp",
};

/** The types whose values are equal exactly where their texts are: not numeric (7 = 7.0), citext, doubles or addresses. */
const spellings: Readonly<Record<string, string>> = {
  int2: "integer",
  int4: "integer",
  int8: "integer",
  text: "text",
  varchar: "text",
  bpchar: "padded text",
  uuid: "uuid",
  enum: "enum",
};

/** Returns primary keys, unique constraints and unique indexes over columns, but no indexes of some rows or of expressions. */
async function keysOf(client: pg.PoolClient, relation: string): Promise<readonly CatalogKey[]> {
  const { rows } = await client.query<CatalogKey>(
    `SELECT i.indisprimary AS primary, ARRAY(
         SELECT a.attname::text FROM unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, place)
         JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
         WHERE k.place <= i.indnkeyatts ORDER BY k.place
       ) AS columns
     FROM pg_index AS i
     WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
     ORDER BY NOT i.indisprimary, i.indexrelid`,
    [relation],
  );
  return rows;
}

async function foreignKeysOf(client: pg.PoolClient, relation: string): Promise<readonly CatalogForeignKey[]> {
  const { rows } = await client.query<{
    readonly columns: readonly string[];
    readonly schema: string;
    readonly name: string;
    readonly target: readonly string[];
  }>(
    `SELECT n.nspname AS schema, t.relname AS name, ${namesOf("f.conrelid", "f.conkey")} AS columns,
       ${namesOf("f.confrelid", "f.confkey")} AS target
     FROM pg_constraint AS f
     JOIN pg_class AS t ON t.oid = f.confrelid JOIN pg_namespace AS n ON n.oid = t.relnamespace
     WHERE f.conrelid = $1 AND f.contype = 'f' AND NOT t.relispartition
     ORDER BY f.conname`,
    [relation],
  );
  return rows.map(({ columns, schema, name, target }) => ({
    columns,
    references: { schema, name, columns: target },
  }));
}

/** Writes the names of a constraint's columns, in its order. */
function namesOf(relation: string, numbers: string): string {
  return `ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS k (attnum, place)
    JOIN pg_attribute AS a ON a.attrelid = ${relation} AND a.attnum = k.attnum ORDER BY k.place)`;
}
