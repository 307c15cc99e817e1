import { type CallPool, type Jobs, type StartWorker, serveJobs, type ToWorker } from "@lethe/serve/workers";

/** Workers of this very thread, whose messages are JSON all the same and take a turn of the loop. */
export function workersHere(open: (call: CallPool) => Promise<Jobs>): StartWorker {
  return ({ message, exit }) => {
    const listeners: ((told: ToWorker) => void)[] = [];
    let isOpen = true;
    const end = (): void => {
      if (isOpen) setImmediate(exit);
      isOpen = false;
    };
    const later = <T>(told: T, tell: (copy: T) => void): void => {
      const copy: T = JSON.parse(JSON.stringify(told));
      setImmediate(() => void (isOpen && tell(copy)));
    };
    serveJobs(
      { post: (told) => later(told, message), listen: (listener) => void listeners.push(listener) },
      open,
      { unexpected: () => undefined, end },
    ).catch(end);
    return {
      post: (told) =>
        later(told, (copy) => {
          for (const listener of listeners) listener(copy);
        }),
      end,
    };
  };
}
