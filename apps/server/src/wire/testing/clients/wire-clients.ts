import { nodePostgres } from "./node-postgres.ts";
import { postgresJs } from "./postgres-js.ts";
import { psql } from "./psql.ts";
import { scripted } from "./scripted.ts";
import type { WireClient } from "./wire-client.ts";

/** All clients of PostgreSQL that are run against the wire. */
export const wireClients: readonly WireClient[] = [psql, nodePostgres, postgresJs, ...scripted];
