import type { PostgresEngine } from "@lethe/engine-postgres";
import type { TrinoEngine } from "@lethe/engine-trino";
import type { DatabasePolicy, Policy } from "@lethe/query";
import { databaseUrl, requiredUrl } from "./database-url.ts";

/** What an engine over a server is opened with, whatever the server. */
export interface ServerParts {
  readonly policy: Policy;
  readonly seed: string;
  /** The folder of the workspace's state, where an import keeps what it knows of snapshots in Trino; left out, tables are read as they lie. */
  readonly stateDirectory?: string;
  readonly log: (detail: string) => void;
}

/** Opens the engine of a policy's database, and loads no other. Errors: engine.source for a variable that is unset or no URL. */
export async function openServer(
  { stateDirectory, ...parts }: ServerParts,
  database: DatabasePolicy,
): Promise<PostgresEngine | TrinoEngine> {
  switch (database.kind) {
    case "postgres": {
      const { openPostgres } = await import("@lethe/engine-postgres");
      return openPostgres({ ...parts, url: databaseUrl(database) });
    }
    case "trino": {
      const { openTrino } = await import("@lethe/engine-trino");
      return openTrino({
        ...parts,
        url: requiredUrl(database),
        ...(stateDirectory === undefined ? {} : { stateDirectory }),
      });
    }
  }
}
