import { Handle } from "./handle.ts";
import type { Mechanisms } from "./mechanism-call.ts";
import { type Ending, endingOf, type Runner } from "./run.ts";

/** A function under audit: what it returns may leave. */
export type AuditedFunction<D> = (data: D, dp: Mechanisms) => unknown;

/** Waits for so many milliseconds; resolves early when `stop` is called. */
export type Wait = (milliseconds: number) => { readonly over: Promise<void>; stop(): void };

const waitForTimer: Wait = (milliseconds) => {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { over, stop: () => end() };
};

/** Between two runs the clock goes on, so that what returns it returns something else. */
const tick = 2;

/**
 * Runs a function in this thread. A promise that is never kept is seen as hanging after the limit, as are too many
 * calls; a loop that asks for nothing can be stopped in another thread alone: see `runInWorker`.
 */
export function runHere<D>(audited: AuditedFunction<D>, limitMs: number, wait: Wait = waitForTimer): Runner {
  return async (data, calls) => {
    await wait(tick).over;
    const waiting = wait(limitMs);
    const handle = new Handle(calls);
    const returned = (async () =>
      endingOf(await audited(structuredClone(data) as D, handle.mechanisms)))().catch(
      (error: unknown): Ending => ({ ended: handle.ledAstray(error) ? "hung" : "threw" }),
    );
    const ending = await Promise.race([returned, waiting.over.then((): Ending => ({ ended: "hung" }))]);
    waiting.stop();
    handle.close();
    return ending;
  };
}
