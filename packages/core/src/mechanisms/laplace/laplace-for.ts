import { invalidParameter } from "../../errors/lethe-error.ts";
import { type IntegerInput, integerOf, type RationalInput, rationalOf } from "../../numeric/exact-input.ts";
import { compare, divide, ratio, toText, zero } from "../../numeric/rational.ts";
import type { Noise } from "../noise.ts";

/**
 * The discrete Laplace noise that costs exactly ε at ℓ1 sensitivity l1: scale = l1/ε. Sensitivity 0 needs no noise.
 * Source: Dwork & Roth 2014, Thm 3.6 (A Thm 2.1, D).
 * Direction: exact.
 * Errors: parameter.invalid unless l1 ≥ 0 and ε > 0.
 * @example laplaceFor({ l1: 1, epsilon: 0.5 }) // => { mechanism: "discrete-laplace@1", scale: "2" }
 */
export function laplaceFor(request: { readonly l1: IntegerInput; readonly epsilon: RationalInput }): Noise {
  const l1 = integerOf(request.l1, "l1");
  const epsilon = rationalOf(request.epsilon, "epsilon");
  if (!(l1 >= 0n)) throw invalidParameter("l1", l1, "≥ 0");
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  if (l1 === 0n) return { mechanism: "constant@1" };
  return { mechanism: "discrete-laplace@1", scale: toText(divide(ratio(l1), epsilon)) };
}
