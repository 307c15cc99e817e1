import type { TrainingDraws } from "@lethe/core/mechanisms";
import type { ClippedGradients } from "../../clipping/clipped-gradients.ts";
import type { Clip } from "../plan/plan-request.ts";
import type { PrivatePlan } from "../plan/private-plan.ts";
import { planHash } from "../plan/read-plan.ts";
import { openBatches } from "../sampling/batches.ts";
import { checkInteger, refuse } from "../sampling/refusal.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { openSteps } from "./noisy-steps.ts";
import { type Optimizer, openDescent } from "./optimizer.ts";

export interface TrainingOptions {
  /** Weights that hang on no private data, or the last checkpoint that was kept. */
  readonly start: Float64Array | Checkpoint;
  /** For a checkpoint, its own unless stated. */
  readonly optimizer?: Optimizer;
  /**
   * Makes a checkpoint durable. Called after every step, before the step is shown. It must refuse where another run of the same training kept this step: then two draws of
   * one step never both leave.
   */
  readonly keep: (checkpoint: Checkpoint) => Promise<void> | void;
  /** Keeps and shows only every so many steps, and the last; 1 unless stated. The steps between are seen by nobody. */
  readonly every?: number;
}

/** A step as it may be shown. */
export interface TrainedStep {
  /** Steps that were released, this one included. */
  readonly step: number;
  readonly weights: Float64Array;
  /** The clip of the next step. */
  readonly clip: number;
}

/**
 * Runs a plan that was paid for, step after step: draws a batch, sums its clipped gradients, adds the noise, moves the weights. A step is shown once its checkpoint is durable;
 * so a run that goes on after a crash draws anew only steps that nobody saw, with coins of its own. An empty batch is a step like another.
 * What a step takes of time and memory shows its batch's size: only the rows' owner may watch it.
 * Errors: parameter.invalid, before any row is read, for weights, gradients or a checkpoint that are not the plan's.
 * @example for await (const { step, weights } of train(plan, gradients, trainingDraws(entropy), { start, optimizer: { kind: "sgd", rate: 0.25 }, keep })) show(step, weights);
 */
export async function* train(
  plan: PrivatePlan,
  gradients: ClippedGradients,
  draws: TrainingDraws,
  options: TrainingOptions,
): AsyncGenerator<TrainedStep, void, void> {
  const begun = startOf(plan, options);
  checkGradients(plan, gradients);
  const { optimizer } = begun;
  const { every = 1 } = options;
  checkInteger("every", every, [1, 2 ** 31], "give every: 1, or leave it out");
  const descent = openDescent(optimizer, plan.model.parameters, begun.descent);
  const batches = openBatches(plan.sampler, gradients.units, draws, {
    step: begun.step,
    bins: begun.secret.bins,
  });
  const steps = openSteps(plan, gradients, draws, { step: begun.step, vectors: begun.secret.noise });
  const weights = begun.weights.slice();
  let { clip } = begun;
  for (let step = begun.step; step < plan.steps; step++) {
    const { gradient, nextClip } = steps.release(weights, batches.next(step), clip);
    descent.move(weights, gradient, step);
    clip = nextClip;
    if ((step + 1) % every !== 0 && step + 1 < plan.steps) continue;
    await options.keep({
      version: 1,
      plan: begun.plan,
      step: step + 1,
      weights: weights.slice(),
      clip,
      optimizer,
      descent: descent.state(),
      secret: { bins: batches.bins(), noise: steps.noise() },
    });
    yield { step: step + 1, weights: weights.slice(), clip };
  }
}

const firstClip = (clip: Clip): number =>
  clip.kind === "flat" ? clip.norm : clip.kind === "adaptive" ? clip.start : 1;

function startOf(plan: PrivatePlan, { start, optimizer }: TrainingOptions): Checkpoint {
  const hash = planHash(plan);
  if (!(start instanceof Float64Array)) {
    if (start.plan !== hash || start.weights.length !== plan.model.parameters) {
      refuse({
        name: "start",
        value: "a checkpoint of another plan",
        condition: "a checkpoint of the plan that was paid for",
        fix: "go on with the plan that the checkpoint was made under, or start with weights",
      });
    }
    return { ...start, optimizer: optimizer ?? start.optimizer };
  }
  if (start.length !== plan.model.parameters) {
    refuse({
      name: "start",
      value: `${start.length} weights`,
      condition: `${plan.model.parameters} weights`,
      fix: "give a weight for each of the model's parameters",
    });
  }
  if (optimizer === undefined) {
    return refuse({
      name: "optimizer",
      value: optimizer,
      condition: "given where a training starts",
      fix: 'give optimizer: { kind: "sgd", rate: 0.1 }',
    });
  }
  return {
    version: 1,
    plan: hash,
    step: 0,
    weights: start,
    clip: firstClip(plan.clip),
    optimizer,
    descent: [],
    secret: { bins: null, noise: [] },
  };
}

/**
 * Refuses gradients of another shape. How many units there are is private under add-or-remove, and then nothing hangs on it; but a declared number of
 * units that the price needs must be true.
 */
function checkGradients(
  { model, adjacency, sampler, units }: PrivatePlan,
  gradients: ClippedGradients,
): void {
  if (gradients.parameters !== model.parameters) {
    refuse({
      name: "gradients.parameters",
      value: gradients.parameters,
      condition: `the model's ${model.parameters}`,
      fix: "plan for the model whose gradients these are",
    });
  }
  const isFalse =
    adjacency === "replace-one"
      ? gradients.units !== units
      : sampler.kind === "truncated-poisson" && gradients.units > units;
  if (isFalse) {
    refuse({
      name: "units",
      value: "another number than that of the data",
      condition:
        adjacency === "replace-one"
          ? "the number of units"
          : "at least the number of units: cut batches are priced by it",
      fix: "declare the true number, or a bound that holds, and plan again",
    });
  }
}
