import { type Bracket, expBracket, normalTailBracket, sqrtBracket } from "../../numeric/bracket.ts";
import {
  add,
  ceil,
  divide,
  max,
  multiply,
  type Rational,
  ratio,
  subtract,
  zero,
} from "../../numeric/rational.ts";
import { bitsBelowOne } from "../search/search.ts";

const half = ratio(1n, 2n);

/**
 * The Gaussian mechanism with μ = Δ₂/σ is (ε, δ)-DP exactly when
 *   δ ≥ δ(μ, ε) = Q(ε/μ − μ/2) − e^ε·Q(ε/μ + μ/2),   Q(x) = P[N(0,1) > x].
 * Brackets δ(μ, ε) between rationals about 2^−bits apart.
 * Shapes: μ² > 0 and ε ≥ 0, exact.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8.
 * Direction: exact, to the bits asked for.
 * @example gaussianDeltaBracket(ratio(1n), ratio(1n), 40) // contains 0.126936737507
 */
export function gaussianDeltaBracket(muSquared: Rational, epsilon: Rational, bits: number): Bracket {
  const exponential = expBracket(epsilon, bits + 4);
  // e^ε multiplies the error of the far tail: carry its bits on top.
  const farBits = bits + 4 + Math.ceil(Math.LOG2E * (Number(ceil(epsilon)) + 1));
  const at = (mu: Rational): Bracket => {
    const quotient = divide(epsilon, mu);
    const near = normalTailBracket(subtract(quotient, multiply(mu, half)), bits + 4);
    const far = normalTailBracket(add(quotient, multiply(mu, half)), farBits);
    return {
      lo: subtract(near.lo, multiply(exponential.hi, far.hi)),
      hi: subtract(near.hi, multiply(exponential.lo, far.lo)),
    };
  };
  // δ(μ, ε) increases in μ, with slope φ(ε/μ − μ/2) < 1/2: the ends of μ's bracket bound it.
  const mu = sqrtBracket(muSquared, bits + 8 + bitsBelowOne(muSquared));
  return { lo: max(zero, at(mu.lo).lo), hi: at(mu.hi).hi };
}
