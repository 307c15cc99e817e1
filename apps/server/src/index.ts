/**
 * The service's parts that do I/O: threads that plan and answer.
 * @module @lethe/server
 */
export { systemTimer } from "./system-timer.ts";
export { askWorkerUrl, type ThreadOptions, threadStarter } from "./workers/start-thread.ts";
export type { EngineSettings, WorkerSettings } from "./workers/worker-settings.ts";
