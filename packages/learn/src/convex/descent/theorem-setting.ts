import { violatedCondition } from "../problem/violated-condition.ts";

/** What C Thm 2 is about: n units, d weights, L and R of the losses, and the budget that it states. */
export interface TheoremRequest {
  readonly units: number;
  readonly dimension: number;
  readonly lipschitz: number;
  /** R, the diameter of the set of weights. */
  readonly diameter: number;
  readonly epsilon: number;
  readonly delta: number;
}

/**
 * The least number of steps: T ≥ n²ε²/(32·d·ln(1/δ)), rounded up.
 * Source: C Thm 2, Eq 16.
 * Direction: exact.
 * @example theoremSteps({ units: 1000, dimension: 10, lipschitz: 1, diameter: 2, epsilon: 0.5, delta: 1e-5 }) // => 68
 */
export function theoremSteps({ units, dimension, epsilon, delta }: TheoremRequest): number {
  return Math.max(1, Math.ceil((units * epsilon) ** 2 / (32 * dimension * Math.log(1 / delta))));
}

/**
 * The noise of a mean gradient: σ = 4L·√(T·ln(1/δ))/(εn).
 * Source: C Thm 2, Eq 16.
 * Direction: exact.
 * @example theoremSigma({ units: 1000, dimension: 10, lipschitz: 1, diameter: 2, epsilon: 0.5, delta: 1e-5 }, 100) // => 0.2714
 */
export function theoremSigma({ units, lipschitz, epsilon, delta }: TheoremRequest, steps: number): number {
  return (4 * lipschitz * Math.sqrt(steps * Math.log(1 / delta))) / (epsilon * units);
}

/**
 * The step size as printed: η = (R/L)·(2T + 32dT²·ln(1/δ)/(ε²n²))^(−1/2).
 * Source: C Thm 2, Eq 16.
 * Direction: exact.
 * @example theoremStepSize({ units: 1000, dimension: 10, lipschitz: 1, diameter: 2, epsilon: 0.5, delta: 1e-5 }, 100) // => 0.1073
 */
export function theoremStepSize(request: TheoremRequest, steps: number): number {
  const { units, dimension, lipschitz, diameter, epsilon, delta } = request;
  const noise = (32 * dimension * steps ** 2 * Math.log(1 / delta)) / (epsilon * units) ** 2;
  return diameter / lipschitz / Math.sqrt(2 * steps + noise);
}

/**
 * What the theorem proves with the printed step size: 7.348·LR·√(d·ln(1/δ))/(εn). C prints 8, by a second moment of 2L² + 2dσ² that would give
 * √96 = 9.8; E|g + ξ|² ≤ L² + dσ² gives √48·(1/√2 + 1/√8) = 7.348.
 * Source: C Thm 2 and Eq 15; derived in ./noisy-descent.proof.md.
 * Direction: upper.
 * @example theoremExcess({ units: 1000, dimension: 10, lipschitz: 1, diameter: 2, epsilon: 0.5, delta: 1e-5 }) // => 0.3154
 */
export function theoremExcess({
  units,
  dimension,
  lipschitz,
  diameter,
  epsilon,
  delta,
}: TheoremRequest): number {
  const constant = Math.sqrt(48) * (Math.SQRT1_2 + Math.sqrt(1 / 8));
  return (constant * lipschitz * diameter * Math.sqrt(dimension * Math.log(1 / delta))) / (epsilon * units);
}

/** Whether ε < 1, δ < 1, ln(1/δ) ≥ ε (C Eq 11 needs it) and T is enough. */
export function theoremHolds(request: TheoremRequest, steps: number): boolean {
  return violationsOf(request, steps).length === 0;
}

/** Errors: parameter.invalid, naming the first condition of C Thm 2 that fails. */
export function checkTheorem(request: TheoremRequest, steps: number): void {
  const [first] = violationsOf(request, steps);
  if (first !== undefined) throw violatedCondition({ ...first, theorem: "C Thm 2" });
}

function violationsOf(request: TheoremRequest, steps: number): readonly Omit<Violation, "theorem">[] {
  const { epsilon, delta } = request;
  const least = theoremSteps(request);
  const all = [
    {
      ...{ fails: !(epsilon < 1), name: "epsilon", value: epsilon },
      ...{ condition: "ε below 1", fix: 'ask for less, or for noise: "tight", whose price holds for any ε' },
    },
    {
      ...{ fails: !(Math.log(1 / delta) >= epsilon), name: "delta", value: delta },
      ...{ condition: "ln(1/δ) ≥ ε", fix: 'ask for a smaller δ, or for noise: "tight"' },
    },
    {
      ...{ fails: !(steps >= least), name: "steps", value: steps },
      condition: `T ≥ n²ε²/(32·d·ln(1/δ)), here ${least}`,
      fix: `run at least ${least} steps, or ask for noise: "tight", whose bound holds for any number of them`,
    },
  ];
  return all.filter(({ fails }) => fails).map(({ fails: _, ...violation }) => violation);
}

type Violation = Parameters<typeof violatedCondition>[0];
