import type { Policy } from "@lethe/query";
import pg from "pg";
import { EndingClient } from "./ending-client.ts";
import { checkLimits, defaultLimits, type PostgresLimits } from "./limits.ts";
import { PostgresEngine } from "./postgres-engine.ts";

export interface PostgresOptions {
  readonly policy: Policy;
  /** postgres://role@host/database; null: libpq's variables of the environment (PGHOST, PGDATABASE, PGUSER …). */
  readonly url: string | null;
  /** Secret; chooses which groups of a unit are kept. */
  readonly seed: string;
  readonly limits?: Partial<PostgresLimits>;
  /** The owner's log: what it is told may contain data. */
  readonly log: (detail: string) => void;
}

/**
 * An engine over the policy's tables on a PostgreSQL server of version 17 or later. Connects when it is first asked: what
 * is wrong with the server, the role or a table, `storage` says before anything is charged.
 * @example const engine = openPostgres({ policy, url: process.env.LETHE_DATABASE_URL ?? null, seed, log });
 */
export function openPostgres(options: PostgresOptions): PostgresEngine {
  const { policy, url, seed, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  checkLimits(limits);
  const config: pg.ClientConfig = {
    ...(url === null ? {} : { connectionString: url }),
    application_name: "lethe",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...config,
    Client: EndingClient,
    max: limits.connections,
    idleTimeoutMillis: 30_000,
  });
  pool.on("error", (error) => log(`an idle connection: ${error.message}`));

  /** A role may cancel its own statements from a connection beside the pool's, which may all be busy. */
  async function cancel(backend: number): Promise<void> {
    const client = new EndingClient(config);
    client.on("error", () => undefined);
    await client.connect();
    try {
      await client.query("SELECT pg_catalog.pg_cancel_backend($1)", [backend]);
    } finally {
      await client.end();
    }
  }
  return new PostgresEngine({ policy, pool, seed, limits, log, cancel });
}
