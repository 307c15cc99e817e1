import { emptyHead, type RandomBytes } from "@lethe/serve";
import type { ServiceStore } from "../service-store.ts";
import { auditTable } from "./audit-table.ts";
import { dashboardTable } from "./dashboard-table.ts";
import { unreadableDatabase } from "./database-error.ts";
import { joinNodes } from "./join-nodes.ts";
import { peopleTable } from "./people-table.ts";
import { requireDurable } from "./require-durable.ts";
import { schema, schemaName, schemaVersion, shapeSql } from "./schema.ts";
import { sessionTable } from "./session-table.ts";
import { sharedAttempts } from "./shared-attempts.ts";
import { sharedLimits } from "./shared-limits.ts";
import { sharedPending } from "./shared-pending.ts";
import { openTables, type Run, type TablesOptions } from "./tables.ts";

export interface ServiceDatabaseOptions extends TablesOptions {
  /** Draws the secret of a service whose tables are made now; null where they must be there. */
  readonly random: RandomBytes | null;
}

/**
 * Opens what the service keeps in a PostgreSQL database, for several processes at once, and makes its tables where they are not there. What it is told is durable is so where the server keeps what PostgreSQL promises: `fsync`,
 * `full_page_writes` and `synchronous_commit` are looked at.
 * Errors: people.unreadable where the database cannot be reached or written, loses what it committed, or its tables are missing, of another version or changed.
 */
export async function openServiceDatabase({
  random,
  ...options
}: ServiceDatabaseOptions): Promise<ServiceStore> {
  const tables = openTables(options);
  try {
    await requireDurable(tables.run);
    const secret = await tables.within(async (run) => {
      // Of several processes that start together one makes the tables.
      await run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [schemaName]);
      const [{ isMade } = { isMade: false }] = await run<{ readonly isMade: boolean }>(
        `SELECT to_regclass('${schemaName}.service') IS NOT NULL AS "isMade"`,
      );
      if (!isMade) {
        if (random === null)
          throw unreadableDatabase(
            "holds no service",
            "start lethe serve, which makes its tables, or name the right database in the variable of `store.url_env`",
          );
        await make(run, random(32));
      }
      return secretOf(run);
    });
    return {
      people: peopleTable(tables),
      audit: auditTable(tables),
      sessions: sessionTable(tables),
      dashboards: dashboardTable(tables),
      secret,
      attempts: sharedAttempts(tables),
      pending: sharedPending(tables),
      limits: (rates, most) => sharedLimits(tables, { rates, most }),
      join: (joining) => joinNodes({ tables, secret, ...joining, ...options }),
      close: () => tables.close(),
    };
  } catch (error) {
    await tables.close();
    throw error;
  }
}

async function make(run: Run, secret: Uint8Array): Promise<void> {
  for (const statement of schema) await run(statement);
  await run(`INSERT INTO ${schemaName}.audit_head VALUES (0, $1, $2)`, [emptyHead.sequence, emptyHead.hash]);
  await run(`INSERT INTO ${schemaName}.service VALUES (0, $1, $2, (${shapeSql}), 0, NULL, NULL)`, [
    schemaVersion,
    Buffer.from(secret),
  ]);
}

async function secretOf(run: Run): Promise<Uint8Array> {
  const [service] = await run<{
    readonly version: number;
    readonly secret: Uint8Array;
    readonly isWhole: boolean;
  }>(`SELECT version, secret, shape = (${shapeSql}) AS "isWhole" FROM ${schemaName}.service`);
  if (service === undefined)
    throw unreadableDatabase("has lost its secret", "restore it from a backup; keep the damaged one");
  if (service.version !== schemaVersion)
    throw unreadableDatabase("is of another version", "open it with the release of Lethe that wrote it");
  if (!service.isWhole)
    throw unreadableDatabase(
      "has tables that were changed",
      "restore it from a backup; keep the changed one",
    );
  return new Uint8Array(service.secret);
}
