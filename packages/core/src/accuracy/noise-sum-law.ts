import { invalidParameter } from "../errors/lethe-error.ts";
import type { Noise } from "../mechanisms/noise.ts";
import { type Rational, toDouble } from "../numeric/rational.ts";
import type { AddedNoise } from "./added-noise.ts";
import { noiseLaw } from "./noise-laws.ts";
import { quantileOfSum, type WeightedQuantile } from "./noise-sum-quantile.ts";
import { continuousQuantile, type LawOfDraws, quantileOfDraws } from "./quantile-of-draws.ts";

/** From this σ on the masses of a Gaussian on the integers are those of a density but for e^(−σ²π²/2) < 1e-19. */
const smoothFrom = 3;
/** What that adds up to over all masses and draws. */
const aliased = 1e-11;

/**
 * A q with P[|S| > q] ≤ alpha, S = Z₁ + … + Zₙ the sum of independent draws of one noise; of one draw the smallest.
 *
 * Laplace: with L = Z + B as in {@link quantileOfDraws}, ΣL = S + ΣB, ΣB symmetric and independent, S symmetric and unimodal
 * on the integers (a sum of log-concave laws). For w ≥ 0, no half-integer, as many integers lie in (q + ½ − w, q] as in
 * (q, q + ½ + w]; the i-th down from q is no farther from 0 than the i-th up, so P[S > q + ½ − w] + P[S > q + ½ + w] ≥
 * 2·P[S > q]. Hence P[|S| > q] ≤ P[|ΣL| > q + ½].
 *
 * Gaussians from σ = 3 on: at integers a rounded Gaussian has the density of σN + U, U uniform on ±½, and a discrete one that of
 * σN, each but for what Poisson's summation leaves over. So has S that of √n·σN + ΣU, which is unimodal: P[S > q] ≤
 * P[√n·σN + ΣU > q]. In law |U| is at most a normal number's of variance 1/(2π), whose density at 0 is 1; all are symmetric
 * and unimodal, so a normal number of variance n·(σ² + 1/(2π)) bounds the sum (Birnbaum 1948).
 *
 * Else the quantile of {@link quantileOfDraws} at weight 1.
 * Source: derived here; Birnbaum 1948 for sums of symmetric unimodal laws.
 * Direction: upper, never below the true quantile.
 * @example addedQuantile({ draws: 4, of: { mechanism: "discrete-laplace@1", scale: "10" } }, ratio(1n, 20n)) // => 56n
 */
export function addedQuantile(noise: AddedNoise, alpha: Rational): bigint {
  const { law, draws } = lawOfDraws(noise);
  if (draws === 1 || law.family === "none") return law.quantile(alpha);
  const level = toDouble(alpha, "down") * (1 - 1e-9) - aliased;
  if (level > 0 && law.family === "laplace")
    return wholeAbove(continuousQuantile([{ law, draws, weight: 1 }], level) - 0.5);
  if (level > 0 && law.scale >= smoothFrom) {
    const widened = { family: law.family, scale: Math.sqrt(law.scale ** 2 + 1 / (2 * Math.PI)) };
    return wholeAbove(continuousQuantile([{ law: widened, draws, weight: 1 }], level));
  }
  return BigInt(Math.floor(quantileOfDraws([{ law, draws }], alpha)([1])));
}

/**
 * Prepares w ↦ x with P[|Σ wᵢSᵢ| > x] ≤ alpha, where any noise may be a sum of draws itself.
 * Source: quantileOfSum of single draws, quantileOfDraws of others.
 * Direction: upper, never below the true quantile.
 */
export function quantileOfAdded(noises: readonly AddedNoise[], alpha: Rational): WeightedQuantile {
  const terms = noises.map(lawOfDraws);
  return terms.every(({ draws }) => draws === 1)
    ? quantileOfSum(
        terms.map(({ law }) => law),
        alpha,
      )
    : quantileOfDraws(terms, alpha);
}

function lawOfDraws(noise: AddedNoise): LawOfDraws {
  return "draws" in noise
    ? { law: noiseLaw(noise.of), draws: noise.draws }
    : { law: noiseLaw(noise), draws: 1 };
}

/** The scale of one draw. */
export function scaleOfDraw(noise: AddedNoise): number {
  return lawOfDraws(noise).law.scale;
}

function wholeAbove(x: number): bigint {
  return BigInt(Math.max(0, Math.ceil(x)));
}

/**
 * The noise of a sum of so many parts, each measured with this noise of its own.
 * Errors: parameter.invalid unless draws is an integer ≥ 1.
 * @example addedUp({ mechanism: "discrete-laplace@1", scale: "2" }, 3) // => { draws: 3, of: { mechanism: "discrete-laplace@1", scale: "2" } }
 */
export function addedUp(noise: Noise, draws: number): AddedNoise {
  if (!(Number.isSafeInteger(draws) && draws >= 1)) throw invalidParameter("draws", draws, "an integer ≥ 1");
  return draws === 1 ? noise : { draws, of: noise };
}
