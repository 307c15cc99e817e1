import { invalidParameter } from "@lethe/core";
import { compare, one, type Rational, rationalOf, toDouble, toText, zero } from "@lethe/core/numeric";

/** A number of a plan, exact and plain: a double that stands for its shortest decimal, or a text such as "1e-6" or "1/3". */
export type PlainNumber = number | string;

/** An (ε, δ) that a plan must keep to, exactly, and the doubles next to it for bounds. */
export interface Budget {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly epsilonNumber: number;
  readonly deltaNumber: number;
}

/** Reads a budget. Errors: parameter.invalid unless ε > 0 and 0 < δ < 1. */
export function budgetOf(request: { readonly epsilon: PlainNumber; readonly delta: PlainNumber }): Budget {
  const epsilon = rationalOf(request.epsilon, "epsilon");
  const delta = rationalOf(request.delta, "delta");
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  if (!(compare(delta, zero) > 0 && compare(delta, one) < 0))
    throw invalidParameter("delta", toText(delta), "above 0 and below 1");
  return { epsilon, delta, epsilonNumber: toDouble(epsilon, "down"), deltaNumber: toDouble(delta, "down") };
}
