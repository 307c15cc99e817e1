import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Sampler } from "../../samplers/index.ts";
import { noiseSampler } from "../registry.ts";
import type { CountingPlan } from "./counting-plan.ts";
import { type RunningNoise, ToeplitzNoise, TreeNoise } from "./running-noise.ts";
import { sqrtCoefficients } from "./sqrt-coefficients.ts";

/** Running totals, released one a step. */
export interface CountingStream {
  /** The number of totals that were released. */
  readonly step: number;
  /**
   * Clamps x, adds it and releases the noisy total of all steps so far, an unbiased integer. Where the source of coins
   * throws, nothing was added. Errors: parameter.invalid past the plan's last step, which the price does not cover.
   */
  add(x: bigint, bits: BitSource): bigint;
}

/**
 * Starts the release that a plan priced. The exact total stays inside.
 * @example const stream = openCounting(plan); stream.add(1n, bits) // => 3n, say
 */
export function openCounting(plan: CountingPlan): CountingStream {
  return new Stream(plan);
}

class Stream implements CountingStream {
  readonly #plan: CountingPlan;
  readonly #sampler: Sampler;
  readonly #noise: RunningNoise;
  #total = 0n;
  #step = 0;

  constructor(plan: CountingPlan) {
    this.#plan = plan;
    this.#sampler = noiseSampler(plan.noise);
    this.#noise =
      plan.factor.kind === "tree"
        ? new TreeNoise(plan.gridBits)
        : new ToeplitzNoise(sqrtCoefficients(plan.factor.bands, plan.gridBits), plan.gridBits);
  }

  get step(): number {
    return this.#step;
  }

  add(x: bigint, bits: BitSource): bigint {
    const { steps, lo, hi } = this.#plan;
    if (this.#step >= steps) throw invalidParameter("step", this.#step + 1, `at most ${steps}`);
    const draw = this.#sampler.sample(bits);
    this.#step += 1;
    this.#total += x < lo ? lo : x > hi ? hi : x;
    return this.#total + this.#noise.next(draw);
  }
}
