import type { Timer } from "../schedule/timer.ts";

/** A clock that goes on when it is told to. */
export interface ManualTimer extends Timer {
  /** Lets time pass until `to`, and runs what is due in its order. */
  go(to: number): void;
  /** Sets the date alone, by so many milliseconds: no time passes. */
  jump(by: number): void;
}

export function manualTimer(begin = 0): ManualTimer {
  let now = begin;
  let jumped = 0;
  let waiting: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now + jumped,
    elapsed: () => now,
    at(at, run) {
      const entry = { at, run };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    go(to) {
      now = to;
      const due = waiting.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
    jump(by) {
      jumped += by;
    },
  };
}
