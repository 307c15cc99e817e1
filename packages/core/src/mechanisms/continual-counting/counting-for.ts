import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import type { Rational } from "../../numeric/rational.ts";
import { type GaussianBudget, gaussianFor } from "../gaussian/gaussian-for.ts";
import { laplaceFor } from "../laplace/laplace-for.ts";
import type { Sensitivity } from "../mechanism.ts";
import { noiseEvent } from "../registry.ts";
import type { CountingFactor, CountingPlan } from "./counting-plan.ts";
import { toeplitzSensitivity, treeSensitivity } from "./counting-sensitivity.ts";
import { sqrtCoefficients } from "./sqrt-coefficients.ts";

/** Gaussian measurements stand on so fine a grid that its rounding is no part of the error. */
const gaussianGridBits = 40;
const mostSteps = 2 ** 32;
const mostBands = 2 ** 20;

/** The request for a release of running totals. */
export interface CountingRequest {
  /** The most steps that there can be: public, and the number that the price is for. At most 2^32. */
  readonly steps: number;
  /** Each step's integer is clamped to [lo, hi]; [0, 1] unless stated. */
  readonly lo?: bigint;
  readonly hi?: bigint;
  /** Neighbours differ in at most this many steps (1 unless stated), at least `separation` steps apart (1 unless stated). */
  readonly participations?: number;
  readonly separation?: number;
  /**
   * "sqrt-toeplitz" has the least error for one participation, at a work of O(t) at step t; "tree" works O(log t). { bands } works
   * O(bands) a step, and about as many bands as steps between a unit's participations have the least error for many of them; for
   * far more steps than bands × participations it has the most.
   */
  readonly form: "tree" | "sqrt-toeplitz" | { readonly bands: number };
}

/** ε alone is pure DP, by Laplace noise, for the tree; the others are Gaussian. */
export type CountingBudget = { readonly epsilon: Rational } | GaussianBudget;

/**
 * The release of `steps` running totals that costs at most the budget, whoever chooses the stream and however it reacts to
 * what was released. Neighbouring streams differ in at most k steps at least b apart, there arbitrarily within [lo, hi].
 * Source: Dwork, Naor, Pitassi & Rothblum 2010; Chan, Shi & Song 2011; Fichtenberger, Henzinger & Upadhyay 2023; Kalinin &
 * Lampert 2024. Proof: ./continual-counting.proof.md.
 * Direction: upper (the exact sensitivity of integer measurements; σ rounded up).
 * Errors: parameter.invalid for a number outside its domain, pure ε for a Toeplitz form, a budget that is not positive.
 * @example countingFor({ steps: 1000, form: "tree" }, { epsilon: ratio(1n) }).noise
 * // => { mechanism: "discrete-laplace@1", scale: "10" }
 */
export function countingFor(request: CountingRequest, budget: CountingBudget): CountingPlan {
  const { steps, lo = 0n, hi = 1n, participations = 1, separation = 1, form } = request;
  checkCount("steps", steps, mostSteps);
  checkCount("participations", participations, Number.MAX_SAFE_INTEGER);
  checkCount("separation", separation, Number.MAX_SAFE_INTEGER);
  if (!(lo <= hi)) throw invalidParameter("lo", lo, "at most hi");
  const factor = factorOf(form, steps);
  const participation = { participations, separation };
  const pure = "epsilon" in budget && !("delta" in budget);
  if (pure && factor.kind !== "tree") {
    throw invalidParameter("budget", "ε alone", "ρ, or ε with δ, for a Toeplitz form");
  }
  const gridBits = pure ? 0 : gaussianGridBits;
  const unit = unitSensitivity(factor, steps, participation, gridBits);
  const reach = hi - lo;
  const sensitivity = { l1: reach * unit.l1, l2Squared: reach * reach * unit.l2Squared };
  const noise = pure
    ? laplaceFor({ l1: sensitivity.l1, epsilon: budget.epsilon })
    : gaussianFor({ l2Squared: sensitivity.l2Squared, ...(budget as GaussianBudget) });
  return { steps, lo, hi, ...participation, factor, gridBits, noise, sensitivity };
}

/** The record of all `steps` measurements: charged once, before the first. */
export function countingEvent(plan: CountingPlan): Event {
  return noiseEvent(plan.noise, plan.sensitivity);
}

function factorOf(form: CountingRequest["form"], steps: number): CountingFactor {
  if (form === "tree") return { kind: "tree" };
  const bands = form === "sqrt-toeplitz" ? steps : form.bands;
  checkCount("bands", bands, mostBands);
  return { kind: "toeplitz", bands: Math.min(bands, steps) };
}

function unitSensitivity(
  factor: CountingFactor,
  steps: number,
  participation: { readonly participations: number; readonly separation: number },
  gridBits: number,
): Sensitivity {
  if (factor.kind === "toeplitz") {
    return toeplitzSensitivity(sqrtCoefficients(factor.bands, gridBits), steps, participation);
  }
  const { l1, l2Squared } = treeSensitivity(steps, participation);
  const scale = BigInt(gridBits);
  return { l1: l1 << scale, l2Squared: l2Squared << (2n * scale) };
}

function checkCount(name: string, value: number, most: number): void {
  if (!(Number.isSafeInteger(value) && value >= 1 && value <= most)) {
    throw invalidParameter(name, value, `an integer from 1 to ${most}`);
  }
}
