import {
  lossFromJson,
  type PrivacyLoss,
  type PrivacyMeasure,
  parseRational,
  type Rational,
  ratio,
  toText,
} from "@lethe/core";
import { zeroLoss } from "@lethe/core/accounting";
import { compare, max, min, subtract, zero } from "@lethe/core/numeric";
import { deltaOf, mainOf, withDelta, withMain } from "../account/main-number.ts";

/** A cap in the numbers of an account's measure: ε or ρ, and δ. A number that is null is not limited here. */
export interface Limit {
  readonly main: Rational | null;
  readonly delta: Rational | null;
}

/** The same as the chain holds it. */
export interface LimitText {
  readonly main: string | null;
  readonly delta: string | null;
}

/** Writes a cap in lowest terms, whatever terms it was handed in. */
export function limitText({ main, delta }: Limit): LimitText {
  const text = ({ num, den }: Rational): string => toText(ratio(num, den));
  return { main: main && text(main), delta: delta && text(delta) };
}

export function readLimit({ main, delta }: LimitText): Limit {
  return {
    main: main === null ? null : parseRational(main),
    delta: delta === null ? null : parseRational(delta),
  };
}

/** Returns a whole loss as a cap. */
export function limitOf(loss: PrivacyLoss): Limit {
  return { main: mainOf(loss), delta: deltaOf(loss) };
}

/** Whether a cap covers a loss: every number that it limits. */
export function covers({ main, delta }: Limit, loss: PrivacyLoss): boolean {
  return (
    (main === null || compare(mainOf(loss), main) <= 0) &&
    (delta === null || compare(deltaOf(loss) ?? zero, delta) <= 0)
  );
}

/** Returns the part of a cap that a loss leaves, number by number, none below 0. */
export function restOf({ main, delta }: Limit, loss: PrivacyLoss): Limit {
  const rest = (cap: Rational | null, used: Rational): Rational | null =>
    cap && max(zero, subtract(cap, used));
  return { main: rest(main, mainOf(loss)), delta: rest(delta, deltaOf(loss) ?? zero) };
}

/** Returns the lower of two caps, number by number. */
export function lower(one: Limit, other: Limit): Limit {
  const least = (a: Rational | null, b: Rational | null): Rational | null => (a && b ? min(a, b) : (a ?? b));
  return { main: least(one.main, other.main), delta: least(one.delta, other.delta) };
}

/** Returns a cap as a loss of a measure; a number that is not limited is 0. */
export function lossOfLimit(measure: PrivacyMeasure, { main, delta }: Limit): PrivacyLoss {
  return withDelta(withMain(zeroLoss(measure), main ?? zero), delta ?? zero);
}

/** Whether a text is a cap, each of its numbers a fraction ≥ 0 or null. */
export function isLimitText(value: unknown): value is LimitText {
  if (typeof value !== "object" || value === null) return false;
  const { main, delta, ...others } = value as Record<string, unknown>;
  return Object.keys(others).length === 0 && [main, delta].every(isAmountOrNull);
}

function isAmountOrNull(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== "string") return false;
  try {
    const amount = parseRational(value);
    return compare(amount, zero) >= 0 && toText(amount) === value;
  } catch {
    return false;
  }
}

/** Reads a loss that must be of a measure; null where it is none of it. */
export function lossOf(measure: PrivacyMeasure, json: unknown): PrivacyLoss | null {
  const loss = lossFromJson(json);
  return loss.measure === measure ? loss : null;
}
