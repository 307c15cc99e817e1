import { LetheError } from "@lethe/core";

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
export class OpenRequests {
  readonly #open = new Map<string, Set<Waiters>>();

  /** Notes that a journey goes on under the charge of a request. */
  begin(principal: string, requestId: string, waiters: Waiters): void {
    const key = keyOf(principal, requestId);
    this.#open.set(key, (this.#open.get(key) ?? new Set()).add(waiters));
  }

  /** Notes that a journey has ended, under whatever requests. */
  end(waiters: Waiters): void {
    for (const [key, each] of this.#open) if (each.delete(waiters) && each.size === 0) this.#open.delete(key);
  }

  has(principal: string, requestId: string): boolean {
    return this.#open.has(keyOf(principal, requestId));
  }

  /** Lets nobody wait any longer for a request. The journey goes on. */
  stop(principal: string, requestId: string): void {
    for (const waiters of this.#open.get(keyOf(principal, requestId)) ?? []) waiters.stop();
  }
}

function keyOf(principal: string, requestId: string): string {
  return JSON.stringify([principal, requestId]);
}

function stoppedWaiting(): LetheError {
  return new LetheError("serve.stopped", "whoever asked this waits for it no longer", {
    fix: "ask the same again: what was charged stands, and its answer is free once it is there",
  });
}
