import type { PoolClient } from "pg";
import type { PostgresLimits } from "./limits.ts";

/**
 * Opens a transaction that can read and nothing else, under the settings that the dialect's text assumes: no name outside
 * pg_catalog is found, numbers and dates are spelled one way, a literal is what it looks like. Settings end with it.
 */
export async function beginReading(client: PoolClient, limits: PostgresLimits): Promise<void> {
  const settings: Readonly<Record<string, string | number>> = {
    search_path: "pg_catalog, pg_temp",
    statement_timeout: limits.timeoutMs,
    lock_timeout: limits.timeoutMs,
    idle_in_transaction_session_timeout: limits.timeoutMs,
    work_mem: `'${limits.workMemoryKiB}kB'`,
    client_encoding: "'UTF8'",
    standard_conforming_strings: "on",
    transform_null_equals: "off",
    // The log of a statement that failed need not show its parameter; that of others is a superuser's to say.
    log_parameter_max_length_on_error: 0,
    extra_float_digits: 1,
    datestyle: "'ISO, YMD'",
    timezone: "'UTC'",
    // Compiling costs more than it saves on these statements, whose text is long and whose rows are short.
    jit: "off",
  };
  const set = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
  await client.query(["BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", ...set].join("; "));
}

/** Nothing was written, so nothing is lost. */
export async function endReading(client: PoolClient): Promise<void> {
  await client.query("ROLLBACK");
}
