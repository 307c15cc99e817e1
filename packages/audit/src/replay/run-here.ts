import type { Mechanisms } from "./mechanism-call.ts";
import { methods } from "./mechanism-call.ts";
import { type Runner, textOf } from "./run.ts";
import { Astray, type CallAnswerer } from "./tape-of-calls.ts";

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
    const returned = (async () => ({
      ended: "returned" as const,
      result: textOf(await audited(structuredClone(data) as D, mechanismsOf(calls))),
    }))().catch((error: unknown) => ({
      ended: error instanceof Astray ? ("hung" as const) : ("threw" as const),
    }));
    const ending = await Promise.race([returned, waiting.over.then(() => ({ ended: "hung" as const }))]);
    waiting.stop();
    return ending;
  };
}

/** The handle that a function is given. */
export function mechanismsOf(calls: CallAnswerer): Mechanisms {
  return Object.fromEntries(
    methods.map((method) => [method, (...args: readonly unknown[]) => calls.answer(method, args)]),
  ) as unknown as Mechanisms;
}
