/**
 * The service's parts that do I/O: files, threads and protocols.
 * @module @lethe/server
 */

export { type Running, type ServeParts, serve, workerCount } from "./serve.ts";
export { openServiceDatabase, type ServiceDatabaseOptions } from "./store/postgres/open-service-database.ts";
export * from "./store/service-file.ts";
export type { ServiceStore } from "./store/service-store.ts";
export { systemTimer } from "./system-timer.ts";
export { askWorkerUrl, type ThreadOptions, threadStarter } from "./workers/start-thread.ts";
export type { EngineSettings, WorkerSettings } from "./workers/worker-settings.ts";
