import {
  type Answer,
  type AskOptions,
  type Explanation,
  type LetheClient,
  LetheProblem,
} from "@lethe/client";
import { hasNoPrice } from "../../answers/has-no-price.ts";

/** What is known of a saved question before anything is paid. */
export interface SavedAnswer {
  /** Its price and what is expected; null where it asks nothing private. */
  readonly plan: Explanation | null;
  /** The answer that costs nothing now; null where it would be paid for. */
  readonly answer: Answer | null;
}

/**
 * Looks a saved question up, and pays nothing: not even where the earlier answer ends between its price and itself.
 * Where the service is asked too often it waits as long as that says. Errors: a LetheProblem.
 */
export async function savedAnswer(
  lethe: LetheClient,
  sql: string,
  options: AskOptions,
): Promise<SavedAnswer> {
  const plan = await patient(() => lethe.explain(sql, options)).catch((error: unknown) => {
    if (hasNoPrice(sql, error)) return null;
    throw error;
  });
  if (plan === null) return { plan, answer: await patient(() => lethe.ask(sql, options)) };
  if (plan.earlier === null) return { plan, answer: null };
  const answer = await patient(() => lethe.ask(sql, { ...options, made: true })).catch((error: unknown) => {
    if (isCoded(error, "query.option")) return null;
    throw error;
  });
  return { plan, answer };
}

async function patient<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      const waits = isCoded(error, "serve.too-many") ? error.retryAfterMs : null;
      if (waits === null) throw error;
      await new Promise((resolve) => setTimeout(resolve, waits));
    }
}

function isCoded(error: unknown, code: string): error is LetheProblem {
  return error instanceof LetheProblem && error.code === code;
}
