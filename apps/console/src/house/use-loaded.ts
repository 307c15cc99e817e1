import { type Inputs, useCallback, useEffect, useState } from "preact/hooks";

/** Something that is loaded: at first neither value nor problem is there. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly problem: unknown;
  readonly busy: boolean;
  /** Loads it again. The value that is there stays until the new one comes. */
  readonly again: () => void;
}

/** Loads something when a component is shown, and again when one of the inputs changes. What is no longer wanted is aborted. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, inputs: Inputs): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "again">>({ value: null, problem: null, busy: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, problem: null, busy: true }));
    load(stop.signal).then(
      (value) => stop.signal.aborted || setState({ value, problem: null, busy: false }),
      (problem: unknown) => stop.signal.aborted || setState({ value: null, problem, busy: false }),
    );
    return () => stop.abort();
  }, [...inputs, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, again };
}
