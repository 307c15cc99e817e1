import { invalidParameter } from "../../errors/lethe-error.ts";
import { expBracket, lnBracket } from "../../numeric/bracket.ts";
import {
  add,
  ceilTo,
  compare,
  divide,
  min,
  multiply,
  negate,
  one,
  type Rational,
  ratio,
  subtract,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { epsilonGrid } from "../search/loss-grid.ts";

/** The law of the number of runs. */
export type RunCount =
  | { readonly law: "negative-binomial"; readonly shape: Rational; readonly stop: Rational }
  | { readonly law: "poisson"; readonly mean: Rational };

/**
 * The ε of running an ε₀-DP mechanism a random number of times and releasing the best outcome. Negative binomial of shape η
 * and stop γ: ε₀ + (1 + η)·ln((e^ε₀ + γ)/(1 + γ·e^ε₀)), at most (2 + η)·ε₀; Poisson of mean μ: ε₀ + μ·tanh(ε₀/2). Rounded up
 * to a multiple of 2^−40. Proof: ../../mechanisms/private-candidates/private-candidates.proof.md
 *
 * Source: Liu & Talwar 2019, Thm 3.2 (3ε₀ for η = 1); Papernot & Steinke 2022, Cor. 3 ((2 + η)ε₀); the sharper forms are derived
 * Direction: upper
 *
 * Errors: parameter.invalid unless ε₀ ≥ 0, η > −1, 0 < γ < 1, μ > 0.
 * @example pureFromRepeatAndSelect({ law: "negative-binomial", shape: ratio(1n), stop: ratio(1n, 1000n) }, ratio(1n)) // => 2.994…
 */
export function pureFromRepeatAndSelect(runs: RunCount, epsilon: Rational): Rational {
  if (!(compare(epsilon, zero) >= 0)) throw invalidParameter("epsilon", toText(epsilon), "≥ 0");
  return runs.law === "poisson" ? ofPoisson(runs.mean, epsilon) : ofNegativeBinomial(runs, epsilon);
}

function ofPoisson(mean: Rational, epsilon: Rational): Rational {
  if (!(compare(mean, zero) > 0)) throw invalidParameter("mean", toText(mean), "> 0");
  if (epsilon.num === 0n) return zero;
  const { lo } = expBracket(negate(epsilon), 128);
  const half = min(divide(epsilon, ratio(2n)), divide(subtract(one, lo), add(one, lo)));
  return add(epsilon, ceilTo(multiply(mean, half), epsilonGrid));
}

/** The largest ε₀ for which e^ε₀ is computed. Beyond it the simple bound is as good to all digits. */
const largestExponent = ratio(1000n);

function ofNegativeBinomial(
  { shape, stop }: { readonly shape: Rational; readonly stop: Rational },
  epsilon: Rational,
): Rational {
  if (!(compare(shape, ratio(-1n)) > 0)) throw invalidParameter("shape", toText(shape), "> −1");
  if (!(compare(stop, zero) > 0 && compare(stop, one) < 0)) {
    throw invalidParameter("stop", toText(stop), "above 0 and below 1");
  }
  if (epsilon.num === 0n) return zero;
  const more = add(one, shape);
  const simple = add(epsilon, multiply(more, epsilon));
  if (compare(epsilon, largestExponent) > 0) return simple;
  const { hi } = expBracket(epsilon, 64);
  const log = lnBracket(divide(add(hi, stop), add(one, multiply(stop, hi))), 64).hi;
  return min(simple, add(epsilon, ceilTo(multiply(more, log), epsilonGrid)));
}
