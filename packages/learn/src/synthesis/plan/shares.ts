import { invalidParameter, parseRational, type Rational, ratio, toDouble, toText } from "@lethe/core";
import { gaussianFromEpsilon } from "@lethe/core/accounting";
import { choiceCost, gaussianFor, type SessionMeasure } from "@lethe/core/mechanisms";
import { compare, floor, fromDouble, multiply, zero } from "@lethe/core/numeric";

/** The loss that a synthesis may have, under the measure of its account. */
export type SynthesisBudget =
  | { readonly measure: "approximate"; readonly epsilon: Rational; readonly delta: Rational }
  | { readonly measure: "zcdp"; readonly rho: Rational };

/** The measure and the total of a session that has exactly this loss: ε and δ are read of Gaussian DP, which is tight for it. Errors: parameter.invalid. */
export function sessionTotal(budget: SynthesisBudget): {
  readonly measure: SessionMeasure;
  readonly total: Rational;
} {
  if (budget.measure === "approximate") {
    return { measure: "gaussian-dp", total: gaussianFromEpsilon(budget.epsilon, budget.delta) };
  }
  if (budget.measure === "zcdp") return { measure: "zcdp", total: multiply(budget.rho, ratio(2n)) };
  throw invalidParameter(
    "measure",
    String((budget as { readonly measure: unknown }).measure),
    "approximate or zcdp, as its noise is Gaussian",
  );
}

const mostSigma = ratio(1n << 40n);

/** The least σ whose measurement takes at most this part of a total. Errors: parameter.invalid for a part that is not positive. */
export function sigmaWithin(part: Rational, l2Squared: bigint): Rational {
  const noise = gaussianFor({ l2Squared, muSquared: part });
  if (noise.mechanism !== "rounded-gaussian@1") throw invalidParameter("part", toText(part), "> 0");
  const sigma = parseRational(noise.sigma);
  // Counts and their noise are doubles that stay exact.
  if (compare(sigma, mostSigma) > 0) {
    throw invalidParameter("budget", toText(part), "large enough for noise of at most 2^40 rows a cell");
  }
  return sigma;
}

/** The largest ε, to some nine digits, whose choice takes at most this part of a total. Errors: parameter.invalid for a part that is not positive. */
export function epsilonWithin(part: Rational, measure: SessionMeasure): Rational {
  if (!(compare(part, zero) > 0)) throw invalidParameter("part", toText(part), "> 0");
  const each = toDouble(choiceCost[measure](ratio(1n)), "up");
  const guess = Math.sqrt(toDouble(part, "down") / each) * (1 - 1e-9);
  // A short number: 32 significant bits.
  const bits = 32 - Math.ceil(Math.log2(guess));
  return ratio(
    floor(multiply(fromDouble(guess), twoTo(bits))) * (bits < 0 ? 1n << BigInt(-bits) : 1n),
    bits < 0 ? 1n : 1n << BigInt(bits),
  );
}

function twoTo(bits: number): Rational {
  return bits >= 0 ? ratio(1n << BigInt(bits)) : ratio(1n, 1n << BigInt(-bits));
}
