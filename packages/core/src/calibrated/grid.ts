import { invalidParameter } from "../errors/lethe-error.ts";
import { type RationalInput, rationalOf } from "../numeric/exact-input.ts";
import {
  add,
  ceil,
  compare,
  divide,
  floor,
  fromDouble,
  multiply,
  type Rational,
  ratio,
  subtract,
  toDouble,
  toText,
  zero,
} from "../numeric/rational.ts";

/** How far a number can move between neighbours, and the step of the grid that it is rounded to. */
export interface Measured {
  /** The most by which one privacy unit moves the number; above 0. */
  readonly sensitivity: RationalInput;
  /** The step of the grid. Unless stated it is 1 for a whole sensitivity, and a thousandth of any other sensitivity. */
  readonly step?: RationalInput;
}

/** A grid of multiples of a step, and the sensitivity of numbers that were rounded to it, in steps. */
export interface Grid {
  readonly step: Rational;
  readonly sensitivity: bigint;
  /** The place of the multiple that is nearest to a number. Errors: parameter.invalid, which does not show the number. */
  place(value: RationalInput, name: string): bigint;
  /** The double that is nearest to the multiple at a place. */
  value(place: bigint): number;
  /** A distance of so many steps, rounded up. */
  distance(steps: bigint): number;
}

/** Reads a number above 0. Errors: parameter.invalid. */
export function positiveOf(input: RationalInput, name: string): Rational {
  const value = rationalOf(input, name);
  if (!(compare(value, zero) > 0)) throw invalidParameter(name, toText(value), "> 0");
  return value;
}

const half = ratio(1n, 2n);

/**
 * Returns the grid of a measured number. Rounding to the nearest multiple keeps the order and moves along with whole steps, so numbers that
 * differ by at most Δ land at most ⌈Δ/step⌉ steps apart.
 * Errors: parameter.invalid unless the sensitivity and the step are numbers above 0.
 * @example gridFor({ sensitivity: 0.5 }).place(2, "value") // => 4000n, as its step is 0.0005
 */
export function gridFor(measured: Measured): Grid {
  const sensitivity = positiveOf(measured.sensitivity, "sensitivity");
  const usual = sensitivity.den === 1n ? ratio(1n) : divide(sensitivity, ratio(1000n));
  const step = measured.step === undefined ? usual : positiveOf(measured.step, "step");
  return {
    step,
    sensitivity: ceil(divide(sensitivity, step)),
    place: (value, name) => floor(add(divide(measuredOf(value, name), step), half)),
    value: (place) => nearestDouble(multiply(ratio(place), step)),
    distance: (steps) => toDouble(multiply(ratio(steps), step), "up"),
  };
}

/** A number of the data: where it is none, the error does not show what it was. */
function measuredOf(value: RationalInput, name: string): Rational {
  try {
    return rationalOf(value, name);
  } catch {
    throw invalidParameter(name, "something else", "a finite number");
  }
}

function nearestDouble(x: Rational): number {
  const [low, high] = [toDouble(x, "down"), toDouble(x, "up")];
  if (low === high || !Number.isFinite(high)) return low;
  if (!Number.isFinite(low)) return high;
  const middle = subtract(multiply(x, ratio(2n)), add(fromDouble(low), fromDouble(high)));
  return compare(middle, zero) < 0 ? low : high;
}
