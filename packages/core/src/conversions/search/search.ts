import { invalidParameter } from "../../errors/lethe-error.ts";
import { compare, one, type Rational, ratio, toDouble } from "../../numeric/rational.ts";

/**
 * The least k ≥ 0 for which a monotone statement (false … false, true … true) holds, starting from a guess. The guess
 * decides only how long it takes. The caller knows that the statement holds somewhere.
 */
export function leastTrue(guess: bigint, holds: (k: bigint) => boolean): bigint {
  let high = guess < 0n ? 0n : guess;
  let low = -1n; // fails, or lies below everything
  for (let step = 1n; !holds(high); step *= 2n) {
    low = high;
    high += step;
  }
  for (let step = 1n; low < 0n && high > 0n; step *= 4n) {
    const below = high > step ? high - step : 0n;
    if (!holds(below)) low = below;
    else high = below;
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The largest k ≥ 0 for which a monotone statement (true … true, false … false) holds; it holds at 0. */
export function greatestTrue(guess: bigint, holds: (k: bigint) => boolean): bigint {
  return leastTrue(guess + 1n, (k) => k > 0n && !holds(k)) - 1n;
}

/**
 * A t > 0 close to (relative 2^-26) the root of an increasing function, found with IEEE additions and divisions alone:
 * the same on every machine when the function is. Bounded to [2^-80, 2^80].
 */
export function rootOfIncreasing(f: (t: number) => number): number {
  let low = 2 ** -80;
  let high = 2 ** 80;
  for (let step = 0; step < 8; step += 1) {
    const middle = Math.sqrt(low * high);
    if (f(middle) > 0) high = middle;
    else low = middle;
  }
  for (let step = 0; step < 26; step += 1) {
    const middle = (low + high) / 2;
    if (f(middle) > 0) high = middle;
    else low = middle;
  }
  return high;
}

/** A smaller δ is refused: no one can tell it from 0, and certifying it takes seconds. */
const leastDelta: Rational = ratio(1n, 1n << 256n);

/** Errors: parameter.invalid unless 2^-256 ≤ δ < 1. */
export function checkTargetDelta(delta: Rational): void {
  if (!(compare(delta, leastDelta) >= 0 && compare(delta, one) < 0)) {
    const shown = toDouble(delta, "up");
    throw invalidParameter("delta", shown, "at least 2^-256 and below 1");
  }
}

/** ⌈log2(1/x)⌉ for 0 < x, at least 0: the bits a bracket needs before it can see x. */
export function bitsBelowOne(x: Rational): number {
  return Math.max(0, x.den.toString(2).length - x.num.toString(2).length + 1);
}
