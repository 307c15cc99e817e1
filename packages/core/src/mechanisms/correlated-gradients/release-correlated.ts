import { invalidParameter, LetheError } from "../../errors/lethe-error.ts";
import { type Exact, unseal } from "../../exact/exact.ts";
import type { Noise } from "../noise.ts";
import { checkInteger } from "../noisy-gradients/gradient-sensitivity.ts";
import { copyWithin, type ExactGradients } from "../noisy-gradients/release-gradients.ts";
import type { TrainingDraws } from "../noisy-gradients/training-draws.ts";
import { checkCorrelatedNoise } from "./correlated-sensitivity.ts";
import { type Correlation, checkCorrelation } from "./correlation.ts";
import { stepNoise } from "./step-noise.ts";

/** What the steps of a training with correlated noise release: pure data, part of the plan. */
export interface CorrelatedProgram {
  readonly parameters: number;
  readonly correlation: Correlation;
  /** The noise of one measurement, in its units. */
  readonly noise: Noise;
  /** The steps that were paid for. */
  readonly steps: number;
}

/** Where a training stands: steps that were released, and what the noise of the next ones needs. As secret as the exact sums. */
export interface CorrelatedState {
  readonly step: number;
  readonly vectors: readonly Float64Array[];
}

export interface CorrelatedReleases {
  /** The next step's sums plus noise, in grid units. Errors: mechanism.spent past the last step that was paid for. */
  release(exact: Exact<ExactGradients>): Float64Array;
  state(): CorrelatedState;
}

/**
 * Starts the releases of a training whose noise is correlated over steps, or goes on with them. They are charged once, by the event of the noise at
 * `correlatedSensitivity`. The clip must be the same in all steps.
 * Source: Kairouz et al. 2021 (arXiv 2103.00039); Denisov et al. 2022 (arXiv 2202.08312); Dvijotham et al. 2024 (arXiv 2404.16706); proof:
 * ./correlated-gradients.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid for a broken program or state.
 */
export function correlatedReleaser(
  program: CorrelatedProgram,
  draws: TrainingDraws,
  start: CorrelatedState = { step: 0, vectors: [] },
): CorrelatedReleases {
  const { parameters, correlation, steps } = program;
  checkInteger("parameters", parameters, 1, 2 ** 23);
  checkInteger("step", start.step, 0, steps);
  checkCorrelation(correlation);
  checkCorrelatedNoise(program.noise);
  if (
    start.vectors.some(({ length }) => length !== parameters) ||
    start.vectors.length !== vectorsAfter(correlation, start.step)
  )
    throw invalidParameter("vectors", start.vectors.length, "those of a training of this shape");
  const noise = stepNoise(correlation, parameters, { step: start.step, state: start.vectors });
  const release = draws.noise(program.noise, (drawn) => noise.turn(drawn));
  let { step } = start;
  return {
    release(exact) {
      if (step >= steps)
        throw new LetheError("mechanism.spent", `all ${steps} steps that were paid for are released`, {
          fix: "plan, and pay for, a training of more steps",
          fields: { steps },
        });
      const vector = new Float64Array(parameters);
      copyWithin(unseal(exact).sums, vector, parameters);
      const noisy = release(vector);
      step += 1;
      return noisy;
    },
    state: () => ({ step, vectors: step === 0 ? [] : noise.state().map((vector) => vector.slice()) }),
  };
}

/** The number of vectors that the noise after so many steps hangs on. */
function vectorsAfter(correlation: Correlation, step: number): number {
  if (step === 0) return 0;
  if (correlation.kind === "banded") return Math.min(step, correlation.bands - 1);
  // Of a tree: the last running sum's, and a measurement of each length up to the step.
  return correlation.kind === "blt" ? correlation.decays.length : 33 - Math.clz32(step);
}
