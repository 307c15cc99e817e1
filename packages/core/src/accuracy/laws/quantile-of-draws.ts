import { elementAt } from "../../numeric/elements/element-at.ts";
import { divide, type Rational, ratio, toDouble } from "../../numeric/rational.ts";
import { ndtri } from "../../numeric/special/index.ts";
import { laplaceCombinationQuantile } from "./laplace-combination.ts";
import type { NoiseFamily, NoiseLaw } from "./noise-law.ts";
import type { WeightedQuantile } from "./noise-sum-quantile.ts";

/** A noise's law, and how many independent draws of it are added up. */
export interface LawOfDraws {
  readonly law: NoiseLaw;
  readonly draws: number;
}

/** The chance with which a coupling may fail, for each draw. */
const couplingFails = 1e-9;
/** The part of alpha that is set aside for how far the roundings of many draws add up. */
const forRounding = 1 / 50;

/**
 * Prepares w ↦ x with P[|Σ wᵢSᵢ| > x] ≤ alpha, Sᵢ a sum of nᵢ independent draws of the i-th noise. With V the same of the
 * continuous laws and c the couplings, x is the least of
 *   the quantile of |V| at alpha, and Σ |wᵢ|nᵢcᵢ: no rounding exceeds its c;
 *   the quantile of |V| at 49/50·alpha, and b with P[|Σ roundings| > b] ≤ alpha/50, by Hoeffding's inequality;
 *   the quantile of |V| at alpha/2, where all noises are Laplace: V = Σ wᵢSᵢ + B with B symmetric and independent of the
 *   rest, so that P[|V| > x] ≥ ½·P[|Σ wᵢSᵢ| > x].
 * A Laplace variable is a difference of two exponential ones; their whole parts make the discrete Laplace, and their
 * fractions, independent of those, B. Each of the three grows with every |wᵢ|. Where alpha is too small for the couplings: the
 * quantiles of all draws together, each at alpha over their number.
 * Source: Hoeffding 1963, Thm 2, and the memorylessness of the exponential law.
 * Direction: upper, never below the true quantile.
 */
export function quantileOfDraws(terms: readonly LawOfDraws[], exact: Rational): WeightedQuantile {
  const all = terms.reduce((total, { draws }) => total + draws, 0);
  const alpha = toDouble(exact, "down") * (1 - 1e-9) - all * couplingFails;
  if (!(alpha > 0)) return together(terms, divide(exact, ratio(BigInt(all))));
  return (weights) => {
    const present = terms
      .map((term, at) => ({ ...term, weight: Math.abs(elementAt(weights, at)) }))
      .filter(({ law, weight }) => law.scale > 0 && weight !== 0);
    if (present.length === 0) return 0;
    const farthest = present.reduce((sum, { law, draws, weight }) => sum + weight * draws * law.coupling, 0);
    const squares = present.reduce(
      (sum, { law, draws, weight }) => sum + draws * (weight * law.coupling) ** 2,
      0,
    );
    // Each rounding lies within ±c: P[|Σ| > b] ≤ 2·exp(−b²/(2·Σ (w·c)²)).
    const likely = Math.sqrt(2 * squares * Math.log(2 / (alpha * forRounding)));
    const rounded =
      farthest <= likely
        ? continuousQuantile(present, alpha) + farthest
        : continuousQuantile(present, alpha * (1 - forRounding)) + likely;
    const isLaplace = present.every(({ law }) => law.family === "laplace");
    return isLaplace ? Math.min(rounded, continuousQuantile(present, alpha / 2)) : rounded;
  };
}

/** Draws of continuous laws of these scales. */
export interface ContinuousDraws {
  readonly law: Pick<NoiseLaw, "family" | "scale">;
  readonly draws: number;
  readonly weight: number;
}

/** An x with P[|V| > x] ≤ alpha, V the weighted sum; of Laplace and Gaussian parts each at alpha/2. */
export function continuousQuantile(terms: readonly ContinuousDraws[], alpha: number): number {
  const of = (family: NoiseFamily): ContinuousDraws[] => terms.filter(({ law }) => law.family === family);
  const parts: { readonly [F in Exclude<NoiseFamily, "none">]: ContinuousDraws[] } = {
    laplace: of("laplace"),
    gaussian: of("gaussian"),
  };
  const { laplace, gaussian } = parts;
  const oneSided = laplace.length > 0 && gaussian.length > 0 ? alpha / 4 : alpha / 2;
  const far = laplaceCombinationQuantile(
    laplace.map(({ law, draws, weight }) => ({ scale: weight * law.scale, count: draws })),
    oneSided,
  );
  const sigma = Math.hypot(
    ...gaussian.map(({ law, draws, weight }) => weight * law.scale * Math.sqrt(draws)),
  );
  return (far - sigma * ndtri(oneSided)) * (1 + 1e-9);
}

function together(terms: readonly LawOfDraws[], each: Rational): WeightedQuantile {
  const reach = terms.map(({ law, draws }) => draws * Number(law.quantile(each)));
  return (weights) =>
    weights.reduce((sum, weight, at) => sum + Math.abs(weight) * elementAt(reach, at), 0) * (1 + 2 ** -40);
}
