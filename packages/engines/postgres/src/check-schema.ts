import { LetheError } from "@lethe/core";
import { type ColumnPolicy, postgresTypes, type TablePolicy, usedColumns } from "@lethe/query";
import type { PoolClient } from "pg";
import { checkComputed } from "./check-computed.ts";
import { checkRights } from "./check-rights.ts";
import { checkStored } from "./check-stored.ts";
import { columnTypes } from "./column-types.ts";

/** Native types by column. */
export type ColumnTypes = Readonly<Record<string, string>>;

/**
 * Checks that a relation exists, that this role may read it and can do no more, that the server keeps its rows, that the policy
 * vouches for what is computed of them, and that it has every column the policy reads, with a type that can be read as the
 * declared one. Reads the catalog, no row. Errors: engine.source for a role or a relation that cannot be asked; engine.untrusted;
 * engine.schema, naming the column; other columns of the database are not named.
 */
export async function checkSchema(
  client: PoolClient,
  table: string,
  policy: TablePolicy,
  [schema, relation]: readonly [string, string],
): Promise<ColumnTypes> {
  const found = await relationFacts(client, schema, relation);
  if (!found?.readable) {
    throw new LetheError("engine.source", `the database has no relation for ${table} that can be read`, {
      fix: `state relation: schema.table in the policy, capitals included, and GRANT SELECT ON ${schema}.${relation} to the role`,
      fields: { table, relation: `${schema}.${relation}` },
    });
  }
  await checkRights(client, table, found.id);
  await checkStored(client, table, found.id);
  const types = await columnTypes(client, found.id);
  const used: Record<string, string> = {};
  for (const name of usedColumns(policy)) {
    const type = types.get(name);
    if (type === undefined) {
      throw new LetheError("engine.schema", `the relation of ${table} has no column ${name}`, {
        fix: "name the policy's columns as the database does, capitals included, or take the column out of the policy",
        fields: { table, column: name },
      });
    }
    if (!isReadable(type, policy.columns[name])) {
      throw new LetheError(
        "engine.schema",
        `column ${name} of ${table} has a type that cannot be read as the policy declares it`,
        {
          fix: "declare numbers as numbers, times as times and texts as texts; arrays, documents, ranges and bytes cannot be asked",
          fields: { table, column: name },
        },
      );
    }
    used[name] = type;
  }
  await checkComputed(client, table, policy, found.id);
  return used;
}

const numbers: ReadonlySet<string> = new Set([
  ...["float4", "float8", "int2", "int4", "int8", "decimal", "numeric", "bool"],
]);
const texts: ReadonlySet<string> = new Set(["text", "varchar", "bpchar", "citext", "name", "enum"]);

const times: ReadonlySet<string> = new Set(["date", "timestamp", "timestamptz"]);

/** Their texts are spelled by each engine in its own way: 1, 1.0, 1e0. */
const doubles: ReadonlySet<string> = new Set(["float4", "float8"]);

/** Times, addresses and the like are no numbers; they may be texts, and numbers are no times. */
function isReadable(type: string, column: ColumnPolicy | undefined): boolean {
  if (!postgresTypes.includes(type)) return false;
  if (doubles.has(type) && (column?.type === "text" || column?.type === "boolean")) return false;
  const isNumber = column?.type === "number" || column?.type === "integer";
  if (column?.type === "date" || column?.type === "timestamp") return times.has(type) || texts.has(type);
  return !isNumber || numbers.has(type) || texts.has(type);
}

interface RelationFacts {
  readonly id: string;
  readonly readable: boolean;
}

/** Tables, partitioned tables, views, materialized views and foreign tables. */
async function relationFacts(
  client: PoolClient,
  schema: string,
  relation: string,
): Promise<RelationFacts | undefined> {
  const { rows } = await client.query<RelationFacts>(
    `SELECT c.oid::text AS id, has_schema_privilege(n.oid, 'USAGE')
         AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT')) AS readable
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
    [schema, relation],
  );
  return rows[0];
}
