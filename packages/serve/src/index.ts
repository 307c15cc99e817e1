/**
 * The service without its protocols: people, roles, one door to ask, workers, the release schedule. Clock, timers, entropy, workers, stores, engine and ledger arrive as arguments.
 * @module @lethe/serve
 */
export * from "./access/index.ts";
export * from "./ask/index.ts";
export * from "./audit-log/index.ts";
export * from "./config/index.ts";
export * from "./dashboards/index.ts";
export * from "./limits/index.ts";
export * from "./people/index.ts";
export * from "./schedule/index.ts";
export * from "./service/index.ts";
export * from "./sessions/index.ts";
export * from "./workers/index.ts";
