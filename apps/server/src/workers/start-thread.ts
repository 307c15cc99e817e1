import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { LetheError } from "@lethe/core";
import type { FromWorker, StartWorker } from "@lethe/serve";
import type { WorkerSettings } from "./worker-settings.ts";

/** How threads are started. */
export interface ThreadOptions {
  /** The program of the threads: {@link askWorkerUrl}, unless it was bundled elsewhere. */
  readonly entry: URL;
  readonly settings: WorkerSettings;
  /** The memory of a thread's own values, in MiB: one that needs more ends, and its question with it. 512 unless stated. What a database takes is limited by its engine. */
  readonly memory?: number;
  /** Gets what ended a thread, for the owner's log. */
  readonly log: (detail: string) => void;
}

/** The memory for values that live briefly, in MiB: V8 would take 48 for each thread, and keep it. */
const youngMemory = 3;

/** Returns what starts threads of node:worker_threads for a pool. */
export function threadStarter({ entry, settings, memory = 512, log }: ThreadOptions): StartWorker {
  return ({ message, exit }) => {
    const worker = new Worker(entry, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngMemory },
      // A worker reads what it was handed, and nothing of the environment.
      argv: [],
    });
    worker.on("message", (told: FromWorker) => message(told));
    worker.on("error", (error) => log(`a worker ended: ${error.stack ?? error.message}`));
    worker.on("exit", exit);
    return { post: (told) => worker.postMessage(told) };
  };
}

/** Returns the built program of the threads, beside this module's own. Errors: internal.invariant where it was not built. */
export function askWorkerUrl(beside: string = import.meta.url): URL {
  const entry = new URL("./workers/ask-worker.mjs", beside);
  if (existsSync(fileURLToPath(entry))) return entry;
  throw new LetheError("internal.invariant", "the program of the worker threads is not beside the service", {
    fix: "npm run build",
  });
}
