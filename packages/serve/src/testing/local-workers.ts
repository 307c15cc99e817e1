import type { CallPool, Jobs, PoolWorker, StartWorker } from "../workers/index.ts";
import { type FromWorker, serveJobs, type ToWorker } from "../workers/index.ts";

/** Workers of this very thread, whose messages are JSON all the same, and which can be killed. */
export interface LocalWorkers {
  readonly start: StartWorker;
  /** Kills the worker that was started in this place, 0 for the first; nothing where it is gone. */
  kill(place: number): void;
  /** How many were started. */
  readonly started: number;
  /** What nobody expected, of all workers. */
  readonly unexpected: readonly unknown[];
}

/** Each message takes a turn of the loop, as between threads. */
export function localWorkers(open: (call: CallPool) => Promise<Jobs>): LocalWorkers {
  const kills: (() => void)[] = [];
  const unexpected: unknown[] = [];
  return {
    unexpected,
    get started() {
      return kills.length;
    },
    kill: (place) => kills[place]?.(),
    start({ message, exit }): PoolWorker {
      let isGone = false;
      const listeners: ((told: ToWorker) => void)[] = [];
      const end = (): void => {
        if (isGone) return;
        isGone = true;
        setImmediate(exit);
      };
      kills.push(end);
      const post = (told: FromWorker): void => {
        const copy = JSON.parse(JSON.stringify(told));
        setImmediate(() => void (isGone || message(copy)));
      };
      const port = { post, listen: (listener: (told: ToWorker) => void) => void listeners.push(listener) };
      serveJobs(port, open, { unexpected: (error) => void unexpected.push(error), end }).catch(end);
      return {
        post(told) {
          const copy = JSON.parse(JSON.stringify(told));
          setImmediate(() => {
            if (!isGone) for (const listener of listeners) listener(copy);
          });
        },
      };
    },
  };
}
