import { invalidParameter } from "../errors/lethe-error.ts";
import { type DominatingPair, profilePair } from "../losses/pld/pairs/index.ts";
import { CloneMixture } from "./clone-mixture.ts";
import { checkCount, checkEpsilon } from "./subsampled-epsilon.ts";

/**
 * The theorem that prices a shuffle. Both theorems are about one ε₀-DP local randomizer R, used by every unit on its own value; the reports are
 * shuffled, and neighbours differ in one unit's value (replace-one).
 * - "clone": any R.
 * - "stronger-clone": R with R(x)(y)·(e^ε₀ + 1) ≥ R(x₀)(y) + R(x₁)(y) for all values x, x₀, x₁ and reports y. Binary and k-ary
 *   randomized response are such; subset selection, unary encodings and most others are not. (The theorem was first printed
 *   without this condition; its erratum restricts it.)
 */
export type ShuffleVariant = "clone" | "stronger-clone";

export interface Shuffle {
  /** The number of shuffled reports, the unit's own included. More than 10⁹ count as 10⁹, which only adds loss. */
  readonly reports: number;
  /** ε₀: every report is ε₀-DP under replace-one. */
  readonly epsilon0: number;
  /** "clone" unless stated. */
  readonly variant?: ShuffleVariant;
}

/**
 * The δ of shuffled ε₀-DP reports at ε: the hockey-stick divergence of
 *   (A + Δ, C − A + 1 − Δ) and (A + 1 − Δ, C − A + Δ),  Δ ~ Bernoulli(e^ε₀/(e^ε₀ + 1)), A ~ Bin(C, ½), C ~ Bin(reports − 1, p),
 * p = e^−ε₀ (clone) or 2/(e^ε₀ + 1) (stronger clone), summed over C with both tails bounded from above. Symmetric: one value for
 * both directions. Proof: ./shuffle.proof.md
 * Source: Feldman, McMillan & Talwar 2021 (arXiv 2012.12803), Thm 3.1; stronger clone: Feldman, McMillan & Talwar 2023
 * (arXiv 2208.04591) with its erratum.
 * Direction: upper.
 * Errors: parameter.invalid unless reports ≥ 1 is a whole number, ε₀ and ε are ≥ 0 and finite, and the variant is known.
 * @example shuffleDelta({ reports: 10_000, epsilon0: 1, epsilon: 0.05300532 }) // => 1.0e-6
 */
export function shuffleDelta(shuffle: Shuffle & { readonly epsilon: number }): number {
  checkShuffle(shuffle);
  checkEpsilon(shuffle.epsilon);
  if (shuffle.epsilon >= shuffle.epsilon0) return 0;
  return mixtureOf(shuffle)?.delta(shuffle.epsilon, 0) ?? 1;
}

/**
 * The least ε at which {@link shuffleDelta} is certified to be at most δ; never above ε₀.
 * Source: Feldman, McMillan & Talwar 2021 (arXiv 2012.12803), Thm 3.1; stronger clone as there.
 * Direction: upper.
 * Errors: as shuffleDelta; parameter.invalid unless 0 ≤ δ < 1.
 * @example shuffleEpsilon({ reports: 10_000, epsilon0: 1, delta: 1e-6 }) // => 0.05300532
 */
export function shuffleEpsilon(shuffle: Shuffle & { readonly delta: number }): number {
  checkShuffle(shuffle);
  const { delta, epsilon0 } = shuffle;
  if (!(delta >= 0 && delta < 1)) throw invalidParameter("delta", delta, "at least 0 and below 1");
  const mixture = mixtureOf(shuffle);
  if (mixture === null || delta === 0) return epsilon0;
  const holds = (epsilon: number): boolean => mixture.delta(epsilon, delta * 1e-12) <= delta;
  if (holds(0)) return 0;
  let [low, high] = [0, epsilon0];
  for (let step = 0; step < 60 && high - low > 1e-12 * high; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * A dominating pair of shuffled reports, for composition: that of the profile {@link shuffleDelta}.
 * Source: Feldman, McMillan & Talwar 2021, Thm 3.1; Zhu, Dong & Wang 2022, Prop. 8.
 * Direction: upper.
 */
export function shufflePair(shuffle: Shuffle, points: number = 1000): DominatingPair {
  checkShuffle(shuffle);
  const { reports, epsilon0, variant = "clone" } = shuffle;
  const mixture = mixtureOf(shuffle);
  const delta = (epsilon: number): number => {
    if (epsilon >= epsilon0) return 0;
    return mixture === null ? 1 : mixture.delta(epsilon, 1e-60);
  };
  return profilePair(delta, `shuffle(${reports},${epsilon0},${variant})`, { points });
}

/**
 * The closed form ε = ln(1 + (e^ε₀ − 1)/(e^ε₀ + 1)·(8√(e^ε₀·ln(4/δ))/√n + 8e^ε₀/n)): the textbook's, several times the numerical
 * bound, and never what is charged.
 * Source: Feldman, McMillan & Talwar 2021 (arXiv 2012.12803), Thm 3.1.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 < δ < 1, and ε₀ ≤ ln(n/(16·ln(2/δ))), where it is proven.
 * @example shuffleEpsilonTextbook({ reports: 10_000, epsilon0: 1, delta: 1e-6 }) // => 0.21402565
 */
export function shuffleEpsilonTextbook({
  reports,
  epsilon0,
  delta,
}: {
  readonly reports: number;
  readonly epsilon0: number;
  readonly delta: number;
}): number {
  checkShuffle({ reports, epsilon0 });
  if (!(delta > 0 && delta < 1)) throw invalidParameter("delta", delta, "above 0 and below 1");
  const limit = Math.log(reports / (16 * Math.log(2 / delta)));
  if (!(epsilon0 <= limit)) throw invalidParameter("epsilon0", epsilon0, "at most ln(n/(16·ln(2/δ)))");
  const grown = Math.exp(epsilon0);
  const spread = (8 * Math.sqrt(grown * Math.log(4 / delta))) / Math.sqrt(reports) + (8 * grown) / reports;
  return Math.log1p((Math.expm1(epsilon0) / (grown + 1)) * spread) * (1 + 2 ** -48);
}

/** The largest ε₀ for which clones are counted. Beyond it they gain nothing, and only ε₀ is claimed. */
const mostEpsilon0 = 100;
const mostReports = 1e9;

function mixtureOf({ reports, epsilon0, variant = "clone" }: Shuffle): CloneMixture | null {
  if (epsilon0 > mostEpsilon0) return null;
  const clones = variant === "clone" ? 1 : 2;
  return new CloneMixture(Math.min(reports, mostReports) - 1, epsilon0, clones);
}

function checkShuffle({ reports, epsilon0, variant = "clone" }: Shuffle): void {
  checkCount("reports", reports, 1);
  if (!(epsilon0 >= 0 && epsilon0 < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("epsilon0", epsilon0, "≥ 0 and finite");
  }
  if (variant !== "clone" && variant !== "stronger-clone") {
    throw invalidParameter("variant", variant, "clone or stronger-clone");
  }
}
