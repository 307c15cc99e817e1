export {
  type ErrorText,
  errorFromText,
  errorToText,
  type FromWorker,
  type ToWorker,
} from "./messages.ts";
export {
  isLost,
  type Job,
  type Pool,
  type PoolOptions,
  type PoolWorker,
  type StartWorker,
  startPool,
  type WorkerEvents,
} from "./pool.ts";
export { type CallPool, type Jobs, type Port, serveJobs } from "./serve-jobs.ts";
