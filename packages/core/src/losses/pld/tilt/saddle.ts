import { doubleAt } from "../../../numeric/elements/element-at.ts";
import { type Cumulants, cumulants, type StepLaw } from "../law/step-law.ts";

/** Steps of one law, repeated. */
export interface Repeated {
  readonly law: StepLaw;
  readonly count: number;
}

/** A tilt, and estimates of the sum of losses under it. A plan decides speed and width; nothing is claimed from it. */
export interface Saddle {
  readonly tilt: number;
  /** Mean and standard deviation of the sum of losses under the tilted law. */
  readonly mean: number;
  readonly deviation: number;
  /** K(λ) of the sum. */
  readonly log: number;
  /** A guess of ln δ(mean), the finite part alone. */
  readonly logDelta: number;
}

/** Near the logarithm of the least δ that doubles hold; an ε beyond gets the bounds of a tilt there. */
const deepest = -600;
const highestTilt = 1e9;

/** The saddle point of a tilt: there δ(mean) ≈ e^{K(λ) − λ·mean}/(√τ·sd·λ·(λ + 1)). */
export function saddleAt(steps: readonly Repeated[], tilt: number): Saddle {
  const sum = summed(steps, tilt);
  const deviation = Math.sqrt(sum.variance);
  const spread = Math.max(1, Math.sqrt(2 * Math.PI) * deviation * tilt) * (tilt + 1);
  return {
    tilt,
    log: sum.log,
    mean: sum.mean,
    deviation,
    logDelta: sum.log - tilt * sum.mean - Math.log(spread),
  };
}

/** The tilt ≥ 0 whose mean is ε; 0 where the mean is above without tilting. */
export function saddleForEpsilon(steps: readonly Repeated[], epsilon: number): Saddle {
  const saddle = search(steps, ({ mean, deviation }) => (mean - epsilon) / Math.max(deviation, 1e-12));
  return saddle.logDelta < deepest ? saddleForDelta(steps, deepest) : saddle;
}

/** The tilt where δ is about e^{logDelta}. */
export function saddleForDelta(steps: readonly Repeated[], logDelta: number): Saddle {
  return search(steps, (saddle) => logDelta - saddle.logDelta);
}

/** The saddle where `excess`, which grows with the tilt, is between 0 and ½, or about the least tilt where it is positive. */
function search(steps: readonly Repeated[], excess: (saddle: Saddle) => number): Saddle {
  const start = saddleAt(steps, 0);
  if (excess(start) >= 0) return start;
  const limit = tiltLimit(steps);
  let low = 0;
  let high = Math.min(limit, 1 / Math.max(start.deviation, 1e-3));
  let best = saddleAt(steps, high);
  while (excess(best) < 0) {
    if (high >= limit) return best;
    low = high;
    high = Math.min(limit, 4 * high);
    best = saddleAt(steps, high);
  }
  while (excess(best) > 0.5 && high - low > 1e-9 * high && high > 1e-3) {
    const middle = low === 0 ? high / 4 : (low + high) / 2;
    const saddle = saddleAt(steps, middle);
    if (excess(saddle) >= 0) {
      high = middle;
      best = saddle;
    } else low = middle;
  }
  return best;
}

/** The ε for which a tilt serves: its exponent K(λ) − λε is within `slack` of the least over all tilts. */
export function rangeOfTilt(
  steps: readonly Repeated[],
  { tilt, log, deviation }: Saddle,
  slack: number,
): { readonly from: number; readonly to: number } {
  const limit = tiltLimit(steps);
  const farthest = (factor: number): number => {
    const unbounded = factor > 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    if (tilt === 0 && factor < 1) return unbounded;
    let other = tilt === 0 ? 0.1 / Math.max(deviation, 1e-3) : tilt * factor;
    for (; other < limit && other > 1e-6; other *= factor) {
      const saddle = saddleAt(steps, other);
      if (log - tilt * saddle.mean - (saddle.log - other * saddle.mean) > slack) return saddle.mean;
      if (saddle.logDelta < deepest) break;
    }
    return unbounded;
  };
  return { from: farthest(0.9), to: farthest(1.1) };
}

/** Returns the tilt beyond which all mass lies on the largest loss. Only losses from the median up are measured, as a long tail of gains does not matter. */
function tiltLimit(steps: readonly Repeated[]): number {
  let limit = highestTilt;
  for (const { law } of steps) {
    const { losses } = law;
    if (losses.length < 2) continue;
    const top = doubleAt(losses, losses.length - 1);
    const span = Math.max(top - medianOf(law), 1e-3 * (top - doubleAt(losses, 0)), 1e-9);
    limit = Math.min(limit, 4000 / span);
  }
  return limit;
}

function medianOf({ losses, logMasses }: StepLaw): number {
  let rest = 0.5;
  let i = 0;
  while (i + 1 < losses.length && rest > 0) rest -= Math.exp(doubleAt(logMasses, i++));
  return doubleAt(losses, i);
}

function summed(steps: readonly Repeated[], tilt: number): Cumulants {
  let [log, mean, variance] = [0, 0, 0];
  for (const { law, count } of steps) {
    const one = cumulants(law, tilt);
    log += count * one.log;
    mean += count * one.mean;
    variance += count * one.variance;
  }
  return { log, mean, variance };
}
