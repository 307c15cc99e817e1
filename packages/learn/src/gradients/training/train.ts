import { LetheError } from "@lethe/core/errors";
import type { TrainingDraws } from "@lethe/core/mechanisms";
import type { ClippedGradients } from "../../clipping/clipped-gradients.ts";
import type { Clip } from "../plan/plan-request.ts";
import type { PrivatePlan } from "../plan/private-plan.ts";
import { planHash } from "../plan/read-plan.ts";
import { checkInteger, refuse } from "../sampling/refusal.ts";
import { batchSums, type OpenBatchSums } from "./batch-sums.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { openSteps } from "./noisy-steps.ts";
import { type Optimizer, openDescent } from "./optimizer.ts";

export interface TrainingOptions {
  /** Weights that hang on no private data, or the last checkpoint that was kept. */
  readonly start: Float64Array | Checkpoint;
  /** For a checkpoint, its own unless stated. */
  readonly optimizer?: Optimizer;
  /**
   * Names the charge that paid for this training, as its request id does. A checkpoint goes on under no other: what two charges pay for is drawn apart, and the bins of a pass
   * that has begun would serve both.
   */
  readonly charge: string;
  /**
   * Makes a checkpoint durable as the one that follows step `after` (0: the start), and tells whether it is. Called before the step is shown. Comparing and writing are one act: it
   * must be refused, by false or an error, where what this charge kept last is of another step than `after`. So of several runs at once one alone goes on, and no two draws of a step
   * both leave; to refuse a step that was kept before is not enough, for runs may keep at other steps.
   */
  readonly keep: (checkpoint: Checkpoint, after: number) => Promise<boolean> | boolean;
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
 * Errors: parameter.invalid, before any row is read, for weights, gradients or a checkpoint that are not the plan's or the charge's; mechanism.spent where another run went on from the same
 * checkpoint.
 * @example for await (const { step, weights } of train(plan, gradients, trainingDraws(entropy), { charge, start, optimizer: { kind: "sgd", rate: 0.25 }, keep })) show(step, weights);
 */
export async function* train(
  plan: PrivatePlan,
  gradients: ClippedGradients,
  draws: TrainingDraws,
  options: TrainingOptions,
): AsyncGenerator<TrainedStep, void, void> {
  yield* trainOn(plan, batchSums(plan, gradients, draws), draws, options);
}

/** {@link train} over sums that are sealed with the units' places. */
export async function* trainOn(
  plan: PrivatePlan,
  openSums: OpenBatchSums,
  draws: TrainingDraws,
  options: TrainingOptions,
): AsyncGenerator<TrainedStep, void, void> {
  const begun = startOf(plan, options);
  const { optimizer } = begun;
  const { every = 1 } = options;
  checkInteger("every", every, [1, 2 ** 31], "give every: 1, or leave it out");
  const descent = openDescent(optimizer, plan.model.parameters, begun.descent);
  const sums = openSums({ step: begun.step, bins: begun.secret.bins });
  const steps = openSteps(plan, draws, { step: begun.step, vectors: begun.secret.noise });
  const weights = begun.weights.slice();
  let { clip } = begun;
  let kept = begun.step;
  for (let step = begun.step; step < plan.steps; step++) {
    const { gradient, nextClip } = steps.release(sums.sum(step, weights, clip), clip);
    descent.move(weights, gradient, step);
    clip = nextClip;
    if ((step + 1) % every !== 0 && step + 1 < plan.steps) continue;
    const checkpoint: Checkpoint = {
      version: 1,
      plan: begun.plan,
      charge: begun.charge,
      step: step + 1,
      weights: weights.slice(),
      clip,
      optimizer,
      descent: descent.state(),
      secret: { bins: sums.bins(), noise: steps.noise() },
    };
    if ((await options.keep(checkpoint, kept)) !== true) throw leftBehind(kept);
    kept = step + 1;
    yield { step: step + 1, weights: weights.slice(), clip };
  }
}

const firstClip = (clip: Clip): number =>
  clip.kind === "flat" ? clip.norm : clip.kind === "adaptive" ? clip.start : 1;

/** Nothing of what was drawn was shown: the steps that leave are those of the run that kept one first. */
function leftBehind(after: number): LetheError {
  return new LetheError(
    "mechanism.spent",
    `what follows step ${after} was kept by another run of this training`,
    {
      fix: "go on from the checkpoint that was kept last",
      fields: { step: after },
    },
  );
}

function startOf(plan: PrivatePlan, { start, optimizer, charge }: TrainingOptions): Checkpoint {
  const hash = planHash(plan);
  if (!(typeof charge === "string" && charge.length > 0)) {
    refuse({
      name: "charge",
      value: charge,
      condition: "the name of the charge that paid for the training",
      fix: "give its request id",
    });
  }
  if (!(start instanceof Float64Array)) {
    if (start.plan !== hash || start.weights.length !== plan.model.parameters) {
      refuse({
        name: "start",
        value: "a checkpoint of another plan",
        condition: "a checkpoint of the plan that was paid for",
        fix: "go on with the plan that the checkpoint was made under, or start with weights",
      });
    }
    if (start.charge !== charge) {
      refuse({
        name: "start",
        value: "a checkpoint of another charge",
        condition: "a checkpoint of the charge that paid for this training",
        fix: "go on under the charge that the checkpoint was made under, or start with weights",
      });
    }
    checkInteger("start.step", start.step, [1, plan.steps], "go on from a checkpoint that was kept");
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
    charge,
    step: 0,
    weights: start,
    clip: firstClip(plan.clip),
    optimizer,
    descent: [],
    secret: { bins: null, noise: [] },
  };
}
