/** Runs something later: the one way in which this package waits. */
export interface Timer {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since some moment of the process, by a clock that nobody sets: an answer's time does not move with the machine's date. */
  readonly elapsed: () => number;
  /** Calls `run` once when it is `at` by {@link Timer.elapsed}, or later; returns what calls that off. */
  readonly at: (at: number, run: () => void) => () => void;
}

/** Resolves when it is `at` by {@link Timer.elapsed}. */
export function reached(at: number, timer: Timer): Promise<void> {
  return new Promise((resolve) => {
    timer.at(at, resolve);
  });
}
