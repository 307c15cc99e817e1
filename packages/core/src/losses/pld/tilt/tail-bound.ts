import { logMoment, type TiltedLaw } from "./tilted-law.ts";

/** Bounds of how far a sum of tilted losses lies from its mean, on one side. */
export interface TailBound {
  /** Returns ln of an upper bound on the tilted mass at a distance ≥ x from the mean; −∞ beyond the law's end. */
  logBeyond(x: number): number;
  /** Returns about the least x where e^{−rate·x} times that mass is at most e^{−logTail}: the end of the law where that is nearer. */
  reach(logTail: number, rate: number): number;
}

interface Part {
  readonly law: TiltedLaw;
  readonly count: number;
  /** The mean of one loss. */
  readonly center: number;
}

/** Chernoff's bounds of side·(S − mean), from exact sums over the laws; side 1 is above the mean, −1 below. */
export function chernoffBound(parts: readonly Part[], side: 1 | -1, deviation: number): TailBound {
  const moments = new Map<number, number>();
  const moment = (theta: number): number => {
    let sum = moments.get(theta);
    if (sum === undefined) {
      sum = 0;
      for (const { law, count, center } of parts) sum += count * logMoment(law, side * theta, center);
      moments.set(theta, sum);
    }
    return sum;
  };
  const whole = parts.reduce((sum, { law, count, center }) => {
    const end = law.offset + (law.first + (side === 1 ? law.mass.length - 1 : 0)) * law.pitch;
    return sum + count * Math.abs(end - center);
  }, 0);
  const slack = Math.max(...parts.map(({ law }) => law.pitch));
  // Within this, no factor of a moment underflows.
  const steepest = Math.min(...parts.map(({ law }) => 300 / (law.mass.length * law.pitch)));
  return {
    logBeyond(x) {
      if (x >= whole + slack) return Number.NEGATIVE_INFINITY;
      let least = 0;
      for (const [theta, log] of moments) least = Math.min(least, log - theta * x);
      return least + 1e-9;
    },
    reach(logTail, rate) {
      const at = (theta: number): number => (moment(theta) + logTail) / (theta + rate);
      let theta = Math.min(steepest, Math.sqrt(2 * Math.max(1, logTail)) / Math.max(deviation, 1e-12));
      let best = at(theta);
      for (const factor of [0.6, 0.8]) {
        for (;;) {
          const next = at(theta * factor);
          if (!(next < best)) break;
          best = next;
          theta *= factor;
        }
      }
      return Math.min(best, whole + slack);
    },
  };
}

/** Returns the reach that {@link chernoffBound} has for a normal law. It serves plans only. */
export function normalReach(deviation: number): (logTail: number, rate: number) => number {
  return (logTail, rate) => {
    const drift = rate * deviation;
    // (x/sd)²/2 + rate·x = logTail, in the form that does not cancel.
    return (2 * logTail * deviation) / (drift + Math.sqrt(drift * drift + 2 * logTail));
  };
}
