import { errorFromText, errorToText, type FromWorker, type ToWorker, toBody } from "./messages.ts";

/** The worker's end of the line to its pool. */
export interface Port {
  post(message: FromWorker): void;
  listen(listener: (message: ToWorker) => void): void;
}

/** Puts something to the pool's side, and resolves with its reply: JSON both. */
export type CallPool = (ask: unknown) => Promise<unknown>;

/** What a worker does. */
export interface Jobs {
  /** Names what was opened. */
  readonly stamp: string;
  /** Does one job, and returns what it gives: JSON both. What it throws that is not coded goes to `unexpected` of {@link serveJobs}, and to nobody else. */
  readonly run: (job: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/**
 * Serves the jobs of a pool in a worker, one at a time: opens what they need first, so that no question waits for that. Entropy, engine and clock are made by `open`, in the worker itself.
 * Errors: those of `open`.
 */
export async function serveJobs(
  port: Port,
  open: (call: CallPool) => Promise<Jobs>,
  { unexpected, end }: { readonly unexpected: (error: unknown) => void; readonly end: () => void },
): Promise<void> {
  const waiting = new Map<number, (message: Extract<ToWorker, { readonly call: number }>) => void>();
  let calls = 0;
  const call: CallPool = (ask) => {
    calls += 1;
    const number = calls;
    return new Promise((resolve, reject) => {
      waiting.set(number, (message) =>
        message.kind === "reply" ? resolve(JSON.parse(message.body)) : reject(errorFromText(message.error)),
      );
      port.post({ kind: "call", call: number, body: toBody(ask) });
    });
  };
  const jobs = await open(call);
  const run = async (body: string): Promise<void> => {
    try {
      port.post({ kind: "done", body: toBody(await jobs.run(JSON.parse(body))) });
    } catch (error) {
      const told = errorToText(error);
      if (told.code === "internal.invariant") unexpected(error);
      port.post({ kind: "refused", error: told });
    }
  };
  port.listen((message) => {
    switch (message.kind) {
      case "job":
        void run(message.body);
        break;
      case "reply":
      case "refusal":
        waiting.get(message.call)?.(message);
        waiting.delete(message.call);
        break;
      case "close":
        void jobs.close().finally(end);
        break;
    }
  });
  port.post({ kind: "ready", stamp: jobs.stamp });
}
