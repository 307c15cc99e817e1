import { type Rational, toDouble } from "@lethe/core/numeric";
import { objectivePerturbationExcess } from "./objective-perturbation-excess.ts";
import { type PerturbedObjective, perturbationSigma } from "./objective-perturbation-price.ts";

/** The σ and Λ of least proven excess, over a public list of shares of ε that the ridge's ln(1 + β/Λ) takes. */
export function bestObjective(run: {
  readonly lipschitz: number;
  readonly smoothness: number;
  readonly radius: number;
  readonly units: number;
  readonly dimension: number;
  readonly epsilon: Rational;
  readonly delta: Rational;
}): PerturbedObjective {
  const { lipschitz, smoothness, radius, dimension, epsilon, delta } = run;
  const whole = toDouble(epsilon, "down");
  const candidates = Array.from({ length: 24 }, (_, i) => {
    const least = smoothness / Math.expm1((whole * 0.75) / 2 ** (i / 2));
    const sigmaAt = (convexity: number): number =>
      perturbationSigma({ lipschitz, smoothness, convexity, epsilon, delta });
    // The excess is least at Λ = √(2d)·σ/r; more ridge than that only where privacy asks for it.
    const convexity = Math.max(least, (Math.sqrt(2 * dimension) * sigmaAt(least)) / radius);
    return { convexity, sigma: sigmaAt(convexity) };
  });
  const excess = (objective: PerturbedObjective): number =>
    objectivePerturbationExcess({ ...run, ...objective, accuracy: 0, sigmaAfter: 0 });
  return candidates.reduce((a, b) => (excess(b) < excess(a) ? b : a));
}
