export { describePostgres } from "./describe-postgres.ts";
export { defaultLimits, type PostgresLimits } from "./limits.ts";
export { openPostgres, type PostgresOptions } from "./open-postgres.ts";
export type { PostgresEngine } from "./postgres-engine.ts";
