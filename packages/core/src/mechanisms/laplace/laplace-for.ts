import { invalidParameter } from "../../errors/lethe-error.ts";
import { compare, divide, type Rational, ratio, toText, zero } from "../../numeric/rational.ts";
import type { Noise } from "../noise.ts";

/**
 * The discrete Laplace noise that costs exactly ε at ℓ1 sensitivity l1: scale = l1/ε. Sensitivity 0 needs no noise.
 * Source: Dwork & Roth 2014, Thm 3.6 (A Thm 2.1, D).
 * Direction: exact.
 * Errors: parameter.invalid unless l1 ≥ 0 and ε > 0.
 * @example laplaceFor({ l1: 1n, epsilon: ratio(1n, 2n) }) // => { mechanism: "discrete-laplace@1", scale: "2" }
 */
export function laplaceFor({ l1, epsilon }: { readonly l1: bigint; readonly epsilon: Rational }): Noise {
  if (!(l1 >= 0n)) throw invalidParameter("l1", l1, "≥ 0");
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  if (l1 === 0n) return { mechanism: "constant@1" };
  return { mechanism: "discrete-laplace@1", scale: toText(divide(ratio(l1), epsilon)) };
}
