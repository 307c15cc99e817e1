import { LetheProblem } from "@lethe/client";

/**
 * Does something, and again after the wait that the service asks for, where it came too often. For work of many requests that its visitor started once.
 * Errors: whatever else it fails with; the signal's reason.
 */
export async function patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LetheProblem) || error.code !== "serve.too-many" || error.retryAfterMs === null)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? 0));
    }
  }
}
