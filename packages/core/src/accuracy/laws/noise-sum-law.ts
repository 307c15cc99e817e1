import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Noise } from "../../mechanisms/noise.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { type Rational, toDouble } from "../../numeric/rational.ts";
import type { AddedNoise, NoiseSum } from "./added-noise.ts";
import type { NoiseFamily } from "./noise-law.ts";
import { noiseLaw } from "./noise-laws.ts";
import { quantileOfSum, type WeightedQuantile } from "./noise-sum-quantile.ts";
import { continuousQuantile, type LawOfDraws, quantileOfDraws } from "./quantile-of-draws.ts";

/** The least σ from which the masses of a Gaussian on the integers are those of a density but for e^(−σ²π²/2) < 1e-19. */
const smoothFrom = 3;
/** A bound on the sum of those differences over all masses and draws. */
const aliased = 1e-11;

/**
 * A q with P[|S| > q] ≤ alpha, S = Z₁ + … + Zₙ the sum of independent draws of one noise, or of several; of one draw the
 * smallest.
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
 * Neither argument asks that all draws be of one scale. Else the quantile of {@link quantileOfDraws} at weight 1.
 * Source: derived here; Birnbaum 1948 for sums of symmetric unimodal laws.
 * Direction: upper, never below the true quantile.
 * @example addedQuantile({ draws: 4, of: { mechanism: "discrete-laplace@1", scale: "10" } }, ratio(1n, 20n)) // => 56n
 */
export function addedQuantile(noise: AddedNoise, alpha: Rational): bigint {
  const laws = lawsOf(noise);
  const present = laws.filter(({ law }) => law.family !== "none");
  const first = elementAt(present.length > 0 ? present : laws, 0);
  if (present.length === 0 || (present.length === 1 && first.draws === 1)) return first.law.quantile(alpha);
  const level = toDouble(alpha, "down") * (1 - 1e-9) - aliased;
  const all = (family: NoiseFamily): boolean => present.every(({ law }) => law.family === family);
  if (level > 0 && all("laplace"))
    return wholeAbove(
      continuousQuantile(
        present.map((each) => ({ ...each, weight: 1 })),
        level,
      ) - 0.5,
    );
  if (level > 0 && all("gaussian") && present.every(({ law }) => law.scale >= smoothFrom)) {
    const widened = present.map(({ law: { family, scale }, draws }) => ({
      law: { family, scale: Math.sqrt(scale ** 2 + 1 / (2 * Math.PI)) },
      draws,
      weight: 1,
    }));
    return wholeAbove(continuousQuantile(widened, level));
  }
  return BigInt(Math.floor(quantileOfDraws(present, alpha)(present.map(() => 1))));
}

/**
 * Prepares w ↦ x with P[|Σ wᵢSᵢ| > x] ≤ alpha, where any noise may be a sum of draws itself.
 * Source: quantileOfSum of single draws, quantileOfDraws of others.
 * Direction: upper, never below the true quantile.
 */
export function quantileOfAdded(noises: readonly AddedNoise[], alpha: Rational): WeightedQuantile {
  const terms = noises.map(lawsOf);
  const all = terms.flat();
  if (terms.every((laws) => laws.length === 1) && all.every(({ draws }) => draws === 1))
    return quantileOfSum(
      all.map(({ law }) => law),
      alpha,
    );
  const quantile = quantileOfDraws(all, alpha);
  return (weights) => quantile(terms.flatMap((laws, at) => laws.map(() => elementAt(weights, at))));
}

function lawsOf(noise: AddedNoise): readonly LawOfDraws[] {
  const sums: readonly NoiseSum[] =
    "sums" in noise ? noise.sums : ["draws" in noise ? noise : { draws: 1, of: noise }];
  return sums.map(({ of, draws }) => ({ law: noiseLaw(of), draws }));
}

/** The scale of one draw, the largest of several noises. */
export function scaleOfDraw(noise: AddedNoise): number {
  return lawsOf(noise).reduce((most, { law }) => Math.max(most, law.scale), 0);
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

/**
 * The noise of a difference, or a sum, of totals that are measured apart: of each how many draws of which noise it holds.
 * Errors: parameter.invalid unless there is one, and each has an integer ≥ 1 of draws.
 * @example mixedNoise([{ draws: 1, of: coarse }, { draws: 12, of: fine }])
 */
export function mixedNoise(sums: readonly NoiseSum[]): AddedNoise {
  const checked = sums.map(({ draws, of }) => addedUp(of, draws));
  if (checked.length === 0) throw invalidParameter("sums", 0, "at least one");
  return checked.length === 1 ? elementAt(checked, 0) : { sums };
}
