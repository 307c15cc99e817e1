import { erfcx } from "../../numeric/special/erfcx.ts";
import { ndtr } from "../../numeric/special/ndtr.ts";
import { checkDelta, checkEpsilon } from "../search/checks.ts";
import { epsilonRange, type Range } from "../search/least-epsilon.ts";

const inverseSqrtTwoPi = 0.3989422804014327;
const sqrtPiOverTwo = 1.2533141373155003;

/**
 * The least δ of a Gaussian mechanism with μ = Δ₂/σ at ε, in doubles, both ends:
 *   δ = Φ(−a) − e^ε·Φ(−b),   a = ε/μ − μ/2,   b = ε/μ + μ/2,
 * as φ(a)·(M(a) − M(b)) with Mills' ratio M, whose difference is integrated where it would cancel.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8 (C Prop. 2 in its exact form).
 * Direction: exact
 * Errors: parameter.invalid unless μ ≥ 0 and ε ≥ 0, both finite.
 * @example gaussianDelta(1, 1).upper // => 0.126936737507
 */
export function gaussianDelta(mu: number, epsilon: number): Range {
  checkEpsilon(mu, "mu");
  checkEpsilon(epsilon);
  if (mu === 0) return { lower: 0, upper: 0 };
  const quotient = epsilon / mu;
  const [a, b] = [quotient - mu / 2, quotient + mu / 2];
  if (a > 1e8 || quotient === Number.POSITIVE_INFINITY) return { lower: 0, upper: Number.MIN_VALUE };
  // Rounding of a is magnified by |a|; e^(−a²/2) is split, so its own square is not.
  const margin = 1e-13 + (quotient + mu) * Math.max(1, Math.abs(a)) * 4.5e-16;
  const value = a < -6 ? ndtr(-a) - density(a) * mills(b) : density(a) * millsDifference(a, b);
  if (!(margin < 0.1)) return { lower: 0, upper: a > 0 ? value * 2 + Number.MIN_VALUE : 1 };
  return {
    lower: Math.max(0, value * (1 - margin)),
    upper: Math.min(1, value * (1 + margin) + Number.MIN_VALUE),
  };
}

/**
 * The least ε of a Gaussian mechanism with μ = Δ₂/σ at δ, both ends; +∞ at δ = 0 unless μ = 0.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8.
 * Direction: exact
 * Errors: parameter.invalid unless μ ≥ 0 and 0 ≤ δ < 1.
 * @example gaussianEpsilon(1, 1e-5).upper // => 4.37717809568
 */
export function gaussianEpsilon(mu: number, delta: number): Range {
  checkEpsilon(mu, "mu");
  checkDelta(delta);
  if (mu === 0) return { lower: 0, upper: 0 };
  if (delta === 0) return { lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  const reach = mu * (mu / 2 + Math.sqrt(-2 * Math.log(delta)));
  return epsilonRange((epsilon) => gaussianDelta(mu, epsilon), delta, reach);
}

function density(x: number): number {
  const head = Math.round(x * 65536) / 65536;
  return inverseSqrtTwoPi * Math.exp(-0.5 * head * head) * Math.exp(-0.5 * (x - head) * (x + head));
}

/** M(x) = Φ(−x)/φ(x). */
function mills(x: number): number {
  return sqrtPiOverTwo * erfcx(x * Math.SQRT1_2);
}

/** M(a) − M(b) for a < b. */
function millsDifference(a: number, b: number): number {
  const width = b - a;
  if (width > 0.25) return mills(a) - mills(b);
  // −M′(x) = 1 − x·M(x) > 0, five-point Gauss–Legendre: exact to 1e-16 over so short an interval.
  const [middle, half] = [(a + b) / 2, width / 2];
  let total = 0.5688888888888889 * slope(middle);
  total +=
    0.47862867049936647 *
    (slope(middle - 0.538469310105683 * half) + slope(middle + 0.538469310105683 * half));
  total +=
    0.23692688505618908 *
    (slope(middle - 0.906179845938664 * half) + slope(middle + 0.906179845938664 * half));
  return total * half;
}

/** 1 − x·M(x) without cancellation. */
function slope(x: number): number {
  if (x < 4) return 1 - x * mills(x);
  // 1/M(x) = x + 1/(x + 2/(x + 3/(x + …))).
  let tail = x;
  for (let n = 120; n >= 2; n--) tail = x + n / tail;
  return mills(x) / tail;
}
