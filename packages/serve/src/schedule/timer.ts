/** Runs something later: the one way in which this package waits. */
export interface Timer {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `run` once when it is `at`, milliseconds since 1970, or later; returns what calls that off. */
  readonly at: (at: number, run: () => void) => () => void;
}

/** Resolves when it is `at`, milliseconds since 1970. */
export function reached(at: number, timer: Timer): Promise<void> {
  return new Promise((resolve) => {
    timer.at(at, resolve);
  });
}
