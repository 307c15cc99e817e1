export { describePostgres } from "./describe-postgres.ts";
export { EndingClient } from "./ending-client.ts";
export { defaultLimits, type PostgresLimits } from "./limits.ts";
export { openPostgres, type PostgresOptions } from "./open-postgres.ts";
export type { PostgresEngine } from "./postgres-engine.ts";
