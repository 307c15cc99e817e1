import type { Answer, AskOptions, LetheClient } from "@lethe/client";
import { useRef, useState } from "preact/hooks";

/** A question under way, or how it ended. */
export interface Asking {
  /** When it was sent, in milliseconds since 1970; null where nobody waits. */
  readonly since: number | null;
  readonly answered: {
    readonly sql: string;
    readonly options: AskOptions;
    readonly answer: Answer;
  } | null;
  readonly problem: unknown;
  /** Whether the visitor stopped waiting for it. */
  readonly stopped: boolean;
}

const idle: Asking = { since: null, answered: null, problem: null, stopped: false };

/** Asks one question at a time. */
export function useAsking(lethe: LetheClient): Asking & {
  readonly ask: (sql: string, options: AskOptions) => Promise<Answer | null>;
  readonly stop: () => void;
} {
  const [state, setState] = useState<Asking>(idle);
  const under = useRef<AbortController | null>(null);
  const ask = async (sql: string, options: AskOptions): Promise<Answer | null> => {
    if (under.current !== null) return null;
    const stop = new AbortController();
    under.current = stop;
    setState(({ answered }) => ({ ...idle, answered, since: Date.now() }));
    try {
      const answer = await lethe.ask(sql, { ...options, signal: stop.signal });
      setState({ ...idle, answered: { sql, options, answer } });
      return answer;
    } catch (problem) {
      setState(stop.signal.aborted ? { ...idle, stopped: true } : { ...idle, problem });
      return null;
    } finally {
      under.current = null;
    }
  };
  return { ...state, ask, stop: () => under.current?.abort() };
}
