import type { BitSource } from "../../entropy/bit-source.ts";
import type { Event } from "../../events/event.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import type { Rational } from "../../numeric/rational.ts";
import { type GaussianBudget, gaussianFor } from "../gaussian/gaussian-for.ts";
import { laplaceFor } from "../laplace/laplace-for.ts";
import type { Sensitivity } from "../mechanism.ts";
import type { Noise } from "../noise.ts";
import { noiseEvent, noiseSampler } from "../registry.ts";
import { countMarginals, type MarginalWorkload, marginalSensitivity } from "./workload.ts";

/** ε alone is pure DP, by Laplace noise; the others are Gaussian. */
export type TablesBudget = { readonly epsilon: Rational } | GaussianBudget;

/** Everything about a release of tables but the data and the coins. */
export interface MarginalsPlan {
  readonly workload: MarginalWorkload;
  readonly adjacency: Adjacency;
  readonly sensitivity: Sensitivity;
  /** Drawn afresh for every cell. */
  readonly noise: Noise;
}

/**
 * The release of all tables of a workload within a budget: Laplace noise of scale Δ₁/ε, or rounded Gaussian noise of the least σ
 * for Δ₂ = √Δ₁: for many tables the Gaussian's error grows with their square root.
 * Source: C Prop 1, C Eq 12. Proof: ./marginals.proof.md
 * Direction: exact for Laplace, upper for Gaussian (σ is rounded up).
 * Errors: parameter.invalid for what is no workload, or a budget that is not positive.
 * @example marginalsFor(kWayMarginals([2, 2], 1), "add-or-remove-one", { epsilon: ratio(1n) }).noise
 * // => { mechanism: "discrete-laplace@1", scale: "2" }
 */
export function marginalsFor(
  workload: MarginalWorkload,
  adjacency: Adjacency,
  budget: TablesBudget,
): MarginalsPlan {
  const sensitivity = marginalSensitivity(workload, adjacency);
  const noise =
    "epsilon" in budget && !("delta" in budget)
      ? laplaceFor({ l1: sensitivity.l1, epsilon: budget.epsilon })
      : gaussianFor({ l2Squared: sensitivity.l2Squared, ...(budget as GaussianBudget) });
  return { workload, adjacency, sensitivity, noise };
}

/** The record of releasing all tables once. */
export function marginalsEvent({ noise, sensitivity }: MarginalsPlan): Event {
  return noiseEvent(noise, sensitivity);
}

/**
 * The noisy tables: integers, unbiased, possibly negative. The same order as the workload's marginals.
 * @example releaseMarginals(plan, [[0, 1], [1, 1]], bits) // => [[1n, 0n], [-1n, 2n]], say
 */
export function releaseMarginals(
  plan: MarginalsPlan,
  records: Iterable<ArrayLike<number>>,
  bits: BitSource,
): readonly (readonly bigint[])[] {
  const sampler = noiseSampler(plan.noise);
  return countMarginals(plan.workload, records).map((table) =>
    table.map((count) => count + sampler.sample(bits)),
  );
}
