import { invalidParameter } from "../errors/lethe-error.ts";
import { elementAt, lastElement } from "../numeric/elements/element-at.ts";
import {
  add,
  compare,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  sum,
  zero,
} from "../numeric/rational.ts";
import { decimalText } from "./decimal-text.ts";

/** The fields of one class of dp_accounting, as they stand in its JSON. */
export type Fields = Readonly<Record<string, unknown>>;

export function number(fields: Fields, name: string): Rational {
  const value = fields[name];
  if (typeof value !== "number") throw invalidParameter(name, value, "a finite number");
  return parseRational(decimalText(value, name), name);
}

export function count(value: unknown, name: string, least = 0): bigint {
  if (!(Number.isSafeInteger(value) && (value as number) >= least)) {
    throw invalidParameter(name, value, `an integer from ${least} to 2^53`);
  }
  return BigInt(value as number);
}

export function numbers(fields: Fields, name: string): readonly Rational[] {
  const values = fields[name];
  if (!Array.isArray(values) || values.length === 0)
    throw invalidParameter(name, values, "a list of numbers");
  return values.map((value) => number({ [name]: value }, name));
}

export function positive(fields: Fields, name: string): Rational {
  const value = number(fields, name);
  if (!(compare(value, zero) > 0)) throw invalidParameter(name, fields[name], "> 0 (0 is no privacy)");
  return value;
}

/** Doubles that should sum to 1: what is missing goes to the largest move, and what is too much is taken from the least, which is no less. */
export function weightsOfSum1(weights: readonly Rational[], moves: readonly Rational[]): readonly Rational[] {
  const left = subtract(one, sum(weights));
  const slack = ratio(1n, 10n ** 9n);
  const close = compare(left, slack) <= 0 && compare(left, subtract(zero, slack)) >= 0;
  const negative = weights.some((weight) => compare(weight, zero) < 0);
  if (weights.length !== moves.length || !close || negative) {
    throw invalidParameter(
      "sampling_probs",
      "numbers of another sum or length",
      "one a sensitivity, of sum 1",
    );
  }
  const size = ({ num, den }: Rational): Rational => ({ num: num < 0n ? -num : num, den });
  const order = moves.map((move, i) => ({ i, size: size(move) })).sort((a, b) => compare(a.size, b.size));
  const mended = [...weights];
  if (compare(left, zero) >= 0) {
    const { i } = lastElement(order);
    mended[i] = add(elementAt(mended, i), left);
    return mended;
  }
  let excess = subtract(zero, left);
  for (const { i } of order) {
    const weight = elementAt(mended, i);
    const taken = compare(weight, excess) < 0 ? weight : excess;
    mended[i] = subtract(weight, taken);
    excess = subtract(excess, taken);
  }
  return mended;
}
