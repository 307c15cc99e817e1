/** An AbortSignal, as far as it is needed: a project without the types of browsers or Node has no name for it. */
export interface WaitSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Waits for a promise, as long as a signal lets it. Errors: those of the promise; the signal's reason. What the promise stands for goes on. */
export function waitFor<T>(promise: Promise<T>, signal: WaitSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
