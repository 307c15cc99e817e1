/**
 * The service without its protocols: one door to ask, workers, the release schedule. Clock, timers, entropy, workers, engine and ledger arrive as arguments.
 * @module @lethe/serve
 */
export * from "./ask/index.ts";
export * from "./schedule/index.ts";
export * from "./workers/index.ts";
