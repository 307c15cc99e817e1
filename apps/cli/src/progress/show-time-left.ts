import { duration } from "../duration.ts";
import { barLine } from "./bar-line.ts";

/** A share of a step below this tells too little of how long the rest takes. */
const leastTold = 0.05;

/**
 * How much of a step is done, and how long the rest of it takes at the pace so far. `now` gives milliseconds.
 * @example showTimeLeft(() => performance.now()).at("writing rows", 0.4) // ██████████… 40 % writing rows, 12 seconds left
 */
export function showTimeLeft(now: () => number): { at(step: string, share: number): void; end(): void } {
  const line = barLine();
  let begun: { readonly step: string; readonly at: number } | null = null;
  return {
    at(step, share) {
      if (begun?.step !== step) begun = { step, at: now() };
      const seconds = ((now() - begun.at) / 1000) * ((1 - share) / share);
      const left = share < leastTold ? "" : `, ${duration(seconds)} left`;
      line.write(share, `${Math.floor(100 * share)} % ${step}${left}`);
    },
    end: line.end,
  };
}
