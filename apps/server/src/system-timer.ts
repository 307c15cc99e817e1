import type { Timer } from "@lethe/serve";

/** The longest wait of one timeout of Node. */
const longest = 2 ** 31 - 1;

/** The machine's clocks: its date, which may be set, and the time that passes. A timeout may come a little early by it: then it waits again. */
export const systemTimer: Timer = {
  now: Date.now,
  elapsed: () => performance.now(),
  at(at, run) {
    let timeout: NodeJS.Timeout;
    const wait = (): void => {
      const left = at - performance.now();
      if (left <= 0) run();
      else timeout = setTimeout(wait, Math.min(left, longest));
    };
    // Never within the call itself.
    timeout = setTimeout(wait, Math.min(Math.max(0, at - performance.now()), longest));
    return () => clearTimeout(timeout);
  },
};
