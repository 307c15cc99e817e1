import { LetheError } from "@lethe/core";
import type { JourneyName } from "./journeys.ts";

/** Whoever waits for the answer of one journey. */
export class Waiters {
  #reject: (error: LetheError) => void = () => undefined;
  #stopped: Promise<never> = this.#begin();

  /** Rejects when those who wait now stop waiting; who comes later waits on. Errors: serve.stopped. */
  get stopped(): Promise<never> {
    return this.#stopped;
  }

  stop(): void {
    this.#reject(stoppedWaiting());
    this.#stopped = this.#begin();
  }

  #begin(): Promise<never> {
    const stopped = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    stopped.catch(() => undefined);
    return stopped;
  }
}

/** The requests that were charged and whose journey goes on, each its principal's own. A journey under a release schedule goes on until its slot, whenever its answer is settled. */
export class RequestsUnderWay {
  readonly #open = new Map<string, RequestUnderWay>();

  /** Notes that a journey goes on under the charge of a request. */
  begin(principal: string, requestId: string, waiters: Waiters): void {
    const key = keyOf(principal, requestId);
    const open = this.#open.get(key) ?? new RequestUnderWay();
    open.waiters.add(waiters);
    this.#open.set(key, open);
  }

  /** Notes that a journey has ended, under whatever requests. */
  end(waiters: Waiters): void {
    for (const [key, each] of this.#open)
      if (each.waiters.delete(waiters) && each.waiters.size === 0) {
        this.#open.delete(key);
        each.end();
      }
  }

  has(principal: string, requestId: string): boolean {
    return this.#open.has(keyOf(principal, requestId));
  }

  /** Resolves once no journey goes on under the charge of a request. */
  async ended(principal: string, requestId: string): Promise<void> {
    const key = keyOf(principal, requestId);
    for (let open = this.#open.get(key); open !== undefined; open = this.#open.get(key)) await open.ended;
  }

  /** Lets nobody wait any longer for a request. The journey goes on. */
  stop(principal: string, requestId: string): void {
    for (const waiters of this.#open.get(keyOf(principal, requestId))?.waiters ?? []) waiters.stop();
  }

  /** Lets nobody wait any longer for the requests that are meant. */
  stopAll(isMeant: (of: JourneyName) => boolean): void {
    for (const key of this.#open.keys()) {
      const [principal, requestId] = JSON.parse(key) as [string, string];
      if (isMeant({ principal, requestId })) this.stop(principal, requestId);
    }
  }
}

/** Those who wait under the charge of one request, and the end of it. */
class RequestUnderWay {
  readonly waiters = new Set<Waiters>();
  end: () => void = () => undefined;
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.end = resolve;
  });
}

function keyOf(principal: string, requestId: string): string {
  return JSON.stringify([principal, requestId]);
}

function stoppedWaiting(): LetheError {
  return new LetheError("serve.stopped", "whoever asked this waits for it no longer", {
    fix: "ask the same again: what was charged stands, and its answer is free once it is there",
  });
}
