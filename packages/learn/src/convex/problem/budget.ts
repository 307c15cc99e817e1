import { invalidParameter } from "@lethe/core";
import {
  compare,
  one,
  type Rational,
  type RationalInput,
  rationalOf,
  toDouble,
  toText,
  zero,
} from "@lethe/core/numeric";

/** An (ε, δ) that a plan must keep to, exactly, and the doubles next to it for bounds. */
export interface Budget {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly epsilonNumber: number;
  readonly deltaNumber: number;
}

/** Reads a budget. Errors: parameter.invalid unless ε > 0 and 0 < δ < 1. */
export function budgetOf(request: {
  readonly epsilon: RationalInput;
  readonly delta: RationalInput;
}): Budget {
  const epsilon = rationalOf(request.epsilon, "epsilon");
  const delta = rationalOf(request.delta, "delta");
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  if (!(compare(delta, zero) > 0 && compare(delta, one) < 0))
    throw invalidParameter("delta", toText(delta), "above 0 and below 1");
  return { epsilon, delta, epsilonNumber: toDouble(epsilon, "down"), deltaNumber: toDouble(delta, "down") };
}
