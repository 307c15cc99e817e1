import { useRef, useState } from "preact/hooks";

/** Something that the visitor starts: whether it runs, and how it failed. */
export interface Action {
  readonly busy: boolean;
  readonly problem: unknown;
  /** Runs it, unless one is under way. Returns whether it succeeded. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
  readonly forget: () => void;
}

/** Keeps what a button needs to know of the work that it starts. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  // Two clicks may come before what the first changes is drawn.
  const under = useRef(false);
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    if (under.current) return false;
    under.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    } finally {
      under.current = false;
      setBusy(false);
    }
  };
  return { busy, problem, run, forget: () => setProblem(null) };
}
