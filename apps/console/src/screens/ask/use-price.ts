import { type AskOptions, type Explanation, type LetheClient, LetheProblem } from "@lethe/client";
import { useEffect, useState } from "preact/hooks";
import { hasNoPrice } from "../../answers/has-no-price.ts";

/** Milliseconds after the last key until the price is asked for. With the service's own time it stays within what looks immediate. */
export const typingMs = 60;

/** The price of the text that stands in the editor, as far as it is known. */
export interface Priced {
  /** The text and the options that this is of: one that stands from before a key is of another text. */
  readonly of: string;
  readonly plan: Explanation | null;
  /** Why it has none: a refusal of this very text. */
  readonly refusal: LetheProblem | null;
  /** Whether the text has no price because it asks nothing private. */
  readonly isFree: boolean;
}

const unknown: Priced = { of: "", plan: null, refusal: null, isFree: false };

/** Asks for the price while one types, and again after each answer, which makes the same question free. What the next key makes needless is aborted; where the service is asked too often it is asked again later. */
export function usePrice(lethe: LetheClient, sql: string, options: AskOptions, answers: number): Priced {
  const [priced, setPriced] = useState<Priced>(unknown);
  const of = pricedBy(sql, options);
  useEffect(() => {
    if (sql.trim() === "") {
      setPriced(unknown);
      return;
    }
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      lethe.explain(sql, { ...options, signal: stop.signal }).then(
        (plan) => setPriced({ ...unknown, of, plan }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          const refusal = error instanceof LetheProblem ? error : null;
          if (refusal?.code === "serve.too-many" && refusal.retryAfterMs !== null)
            timer = setTimeout(look, refusal.retryAfterMs);
          // Questions of public tables, and of what there is to ask, have no price and no plan.
          else setPriced({ ...unknown, of, ...(hasNoPrice(sql, error) ? { isFree: true } : { refusal }) });
        },
      );
    };
    // The last price stays until the next is there, so that nothing flickers.
    timer = setTimeout(look, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [of, lethe, answers]);
  return priced;
}

/** A text and its options as one key. */
export function pricedBy(sql: string, options: AskOptions): string {
  return JSON.stringify([sql, options]);
}
