import { invalidParameter } from "../errors/lethe-error.ts";
import { type CountingPlan, sqrtCoefficients } from "../mechanisms/continual-counting/index.ts";
import type { Noise } from "../mechanisms/noise.ts";
import { doubleAt } from "../numeric/elements/element-at.ts";
import { fromDouble, parseRational, type Rational } from "../numeric/rational.ts";
import { laplaceSumQuantile } from "./laws/laplace-sum-law.ts";
import { exactAlpha } from "./laws/noise-quantile.ts";
import { noiseVariance } from "./laws/noise-variance.ts";
import { roundedNormalQuantile } from "./laws/rounded-gaussian-law.ts";
import { eachAlpha } from "./laws/simultaneous-quantile.ts";

/** Returns the number of a tree's measurements that make up the running total at a step: the ones among its binary digits. */
function digits(step: number): number {
  let ones = 0;
  for (let rest = step; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}

/**
 * h₀ … h₍ₛₜₑₚₛ₋₁₎: the noise of the running total at step t is Σ hₛ·z_{t−s} in units of the measurements over 2^gridBits. In [0, 1].
 * For the full square root h is again the square root's coefficients.
 */
function toeplitzWeights(bands: number, gridBits: number, steps: number): Float64Array {
  const scale = 2 ** gridBits;
  const c = Float64Array.from(sqrtCoefficients(bands, gridBits), (x) => Number(x) / scale);
  const weights = new Float64Array(steps);
  if (bands >= steps) return c.slice(0, steps);
  weights[0] = 1;
  const drops = c.map((x, i) => x - (c[i + 1] ?? 0));
  let settled = 0;
  for (let n = 1; n < steps; n++) {
    let next = 0;
    for (let i = Math.min(bands, n) - 1; i >= 0; i--)
      next += doubleAt(drops, i) * doubleAt(weights, n - 1 - i);
    weights[n] = next;
    // A mean of equal numbers stays what it is.
    settled = Math.abs(next - doubleAt(weights, n - 1)) <= 1e-16 ? settled + 1 : 0;
    if (settled >= bands) return weights.fill(next, n);
  }
  return weights;
}

/** Above this many steps a Toeplitz release's errors are not tabulated. */
const mostTabulated = 2 ** 24;

/** The variance of every running total's noise, by step (index 0 is step 1), without the last rounding to integers. */
function variances(plan: CountingPlan): (step: number) => number {
  const each = noiseVariance(plan.noise) / 4 ** plan.gridBits;
  if (plan.factor.kind === "tree") return (step) => each * digits(step);
  const sums = squaredSums(plan);
  return (step) => each * doubleAt(sums, step - 1);
}

function squaredSums({ factor, gridBits, steps }: CountingPlan): Float64Array {
  if (factor.kind !== "toeplitz") throw invalidParameter("form", factor.kind, "a Toeplitz form");
  if (steps > mostTabulated) throw invalidParameter("steps", steps, `at most ${mostTabulated} here`);
  let sum = 0;
  return toeplitzWeights(factor.bands, gridBits, steps).map((h) => {
    sum += h * h;
    return sum;
  });
}

/** Mean and largest, over the steps, of the variance of a running total's noise. */
export interface CountingErrors {
  readonly meanSquared: number;
  readonly maxSquared: number;
}

/**
 * The mean-squared and the largest squared error of a plan's running totals, by the mass function that is drawn.
 *   tree: Var(Z)·popcount(t) at step t;   Toeplitz: Var(Z)·Σ_{s<t} hₛ²/4^gridBits, h = 1/((1−z)·c(z)).
 * The rounding of a Gaussian form's totals to integers adds 1/12 where the noise is not much smaller than 1.
 * Source: Chan, Shi & Song 2011; Fichtenberger, Henzinger & Upadhyay 2023, Thm 1; Henzinger, Upadhyay & Upadhyay 2023, Thm 3.
 * Direction: exact, in doubles (relative 1e-9).
 * @example countingErrors(countingFor({ steps: 4, form: "tree" }, { epsilon: ratio(1n) })).maxSquared // 2·Var = 35.668…
 */
export function countingErrors(plan: CountingPlan): CountingErrors {
  if (plan.factor.kind === "tree") {
    const each = noiseVariance(plan.noise) / 4 ** plan.gridBits;
    const most = Math.floor(Math.log2(plan.steps + 1));
    return { meanSquared: (each * allDigits(plan.steps)) / plan.steps, maxSquared: each * most };
  }
  const variance = variances(plan);
  let total = 0;
  for (let step = 1; step <= plan.steps; step++) total += variance(step);
  return { meanSquared: total / plan.steps, maxSquared: variance(plan.steps) };
}

/** Σ over 1 ≤ t ≤ steps of the number of ones of t: each digit is one in half of every full period. */
function allDigits(steps: number): number {
  let total = 0;
  for (let half = 1; half <= steps; half *= 2) {
    const periods = Math.floor((steps + 1) / (2 * half));
    total += periods * half + Math.max(0, ((steps + 1) % (2 * half)) - half);
  }
  return total;
}

/** The variance of the noise of one running total. Errors: parameter.invalid for a step outside the plan. */
export function countingVariance(plan: CountingPlan, step: number): number {
  checkStep(plan, step);
  return variances(plan)(step);
}

/**
 * The smallest integer q that is certain to satisfy P[|release − total| ≤ q] ≥ confidence at one step.
 * Laplace: the law of a sum of discrete Laplace noises; Gaussian: that of a rounded normal number, widened by what the grids
 * can add (below step·2^−40).
 * Source: Chan, Shi & Song 2011, with the law itself for their Chernoff bound. Direction: upper.
 * Errors: parameter.invalid for a step outside the plan, unless 0 < confidence < 1, for a noise without such a law.
 * @example countingRadius(countingFor({ steps: 1000, form: "tree" }, { epsilon: ratio(1n) }), 1000, 0.95) // => 69n
 */
export function countingRadius(plan: CountingPlan, step: number, confidence: number): bigint {
  checkStep(plan, step);
  return radius(plan, exactAlpha(confidence))(step);
}

/**
 * A q that all running totals keep at once with this confidence. Gaussian noises hold jointly at least as often as if they
 * were independent, however they are correlated (Šidák 1967); for Laplace noises the chances are added.
 * Source: Dwork, Naor, Pitassi & Rothblum 2010, Def. 2.2 (accuracy of all steps). Direction: upper.
 * Errors: parameter.invalid unless 0 < confidence < 1, for a noise without such a law.
 */
export function countingSimultaneousRadius(plan: CountingPlan, confidence: number): bigint {
  const eta = exactAlpha(confidence);
  // The step of the largest variance: the last of a Toeplitz form, the one of most ones of a tree.
  const worst = plan.factor.kind === "tree" ? 2 ** Math.floor(Math.log2(plan.steps + 1)) - 1 : plan.steps;
  return radius(plan, countingNoise(plan).eachAlpha(plan.steps, eta))(worst);
}

/** Tells the radius that a running total's noise keeps at each step, and the chance of one step that gives all steps theirs. */
interface CountingNoise<N extends Noise> {
  radius(noise: N, plan: CountingPlan, alpha: Rational): (step: number) => bigint;
  eachAlpha(steps: number, eta: Rational): Rational;
}

const countingNoises: {
  readonly [M in Noise["mechanism"]]: CountingNoise<Extract<Noise, { mechanism: M }>> | null;
} = {
  "constant@1": { radius: () => () => 0n, eachAlpha },
  "discrete-laplace@1": {
    radius({ scale }, _plan, alpha) {
      const exact = parseRational(scale);
      return (step) => laplaceSumQuantile(digits(step), exact, alpha);
    },
    eachAlpha: (steps, { num, den }) => ({ num, den: den * BigInt(steps) }),
  },
  "rounded-gaussian@1": {
    radius(_noise, plan, alpha) {
      const variance = variances(plan);
      return (step) => {
        // Rounded measurements differ from normal ones by half a grid unit each, running noises by half a unit of 2^−40.
        const slack = step * 2 ** -40;
        // |release − total| > q needs a normal number beyond q + ½ − slack ≥ (q + ½)·(1 − 2·slack).
        const sigma = (Math.sqrt(variance(step)) * (1 + 1e-9)) / (1 - 2 * slack);
        return roundedNormalQuantile(fromDouble(sigma), alpha);
      };
    },
    eachAlpha,
  },
  /** No plan draws it, and a sum of its draws is no rounded normal number. */
  "discrete-gaussian@1": null,
};

function countingNoise({ noise }: CountingPlan): CountingNoise<Noise> {
  const known = Object.hasOwn(countingNoises, noise.mechanism) ? countingNoises[noise.mechanism] : null;
  if (known !== null) return known as CountingNoise<Noise>;
  throw invalidParameter("noise", noise.mechanism, "a noise that running totals are released with");
}

function radius(plan: CountingPlan, alpha: Rational): (step: number) => bigint {
  return countingNoise(plan).radius(plan.noise, plan, alpha);
}

function checkStep({ steps }: CountingPlan, step: number): void {
  if (!(Number.isSafeInteger(step) && step >= 1 && step <= steps)) {
    throw invalidParameter("step", step, `an integer from 1 to ${steps}`);
  }
}
