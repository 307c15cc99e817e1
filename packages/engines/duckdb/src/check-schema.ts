import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import type { ColumnPolicy, TablePolicy } from "@lethe/query";
import { checkComputed } from "./check-computed.ts";
import { quoteRelation } from "./quote.ts";

/**
 * Checks that a relation exists and has every column the policy reads, with a type that Lethe can read; outside of
 * snapshots, which keep times as integers, as what it is declared to be. Returns the types of these columns by name. Reads no row.
 * Errors: engine.untrusted; engine.schema, naming the column; other columns of the database are not named.
 */
export async function checkSchema(
  connection: DuckDBConnection,
  table: string,
  policy: TablePolicy,
  relation: readonly string[],
  log: (detail: string) => void,
  isSnapshot = false,
): Promise<Readonly<Record<string, string>>> {
  const types = await columnTypes(connection, relation).catch((error: unknown) => {
    log(`${table}: ${error instanceof Error ? error.message : String(error)}`);
    throw new LetheError("engine.schema", `the file of ${table} has no relation ${relation.at(-1)}`, {
      fix: "state the table's relation in the policy, as it is called in the file",
      fields: { table, relation: relation.at(-1) ?? "" },
    });
  });
  if (!isSnapshot) await checkComputed(connection, table, policy, relation);
  const used: [string, string][] = [];
  for (const name of usedColumns(policy)) {
    const type = types.get(name);
    if (type === undefined) {
      throw new LetheError("engine.schema", `the file of ${table} has no column ${name}`, {
        fix: "name the policy's columns as the file does, capitals included, or take the column out of the policy",
        fields: { table, column: name },
      });
    }
    if (!isScalar(type)) {
      throw new LetheError("engine.schema", `column ${name} of ${table} has a type that cannot be asked`, {
        fix: "use a number, text, boolean, date or time column",
        fields: { table, column: name },
      });
    }
    if (!isSnapshot && !isReadable(type, policy.columns[name])) {
      throw new LetheError(
        "engine.schema",
        `column ${name} of ${table} has a type that cannot be read as the policy declares it`,
        {
          fix: "declare numbers as numbers, times as times and texts as texts",
          fields: { table, column: name },
        },
      );
    }
    used.push([name, type]);
  }
  return Object.fromEntries(used);
}

/** Every column the policy reads: the declared ones, and the unit's. */
export function usedColumns(policy: TablePolicy): readonly string[] {
  const names = new Set(Object.keys(policy.columns));
  if (policy.unit.kind === "column") names.add(policy.unit.column);
  return [...names];
}

/**
 * Numbers are no times, and times no numbers: every value would be NULL. Texts are read as either. Doubles are neither texts nor
 * truths, for each engine spells them in its own way: 1, 1.0, 1e0.
 */
function isReadable(type: string, column: ColumnPolicy | undefined): boolean {
  if (/^(DOUBLE|FLOAT)/.test(type) && (column?.type === "text" || column?.type === "boolean")) return false;
  const isTime = /^(DATE|TIME)/.test(type);
  if (column?.type === "number" || column?.type === "integer") return !isTime;
  if (column?.type === "date" || column?.type === "timestamp")
    return /^(DATE|TIMESTAMP|VARCHAR|ENUM)/.test(type);
  return true;
}

async function columnTypes(
  connection: DuckDBConnection,
  relation: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const result = await connection.run(`SELECT * FROM ${quoteRelation(relation)} LIMIT 0`);
  return new Map(result.columnNames().map((name, at) => [name, result.columnType(at).toString()]));
}

/** Nested values and blobs are refused: what it costs to read one has no public bound. */
export function isScalar(type: string): boolean {
  return !/^(STRUCT|MAP|UNION|BLOB|BIT|VARIANT|GEOMETRY|JSON|INTERVAL|ANY|BIGNUM)\b|\]$/.test(type);
}
