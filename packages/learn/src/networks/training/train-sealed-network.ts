import type { Exact, TrainingDraws, UnitRows } from "@lethe/core/mechanisms";
import type { PrivatePlan } from "../../gradients/plan/private-plan.ts";
import { planHash } from "../../gradients/plan/read-plan.ts";
import { type Checkpoint, checkpointBytes, readCheckpoint } from "../../gradients/training/checkpoint.ts";
import { trainOn } from "../../gradients/training/train.ts";
import type { NetworkModel } from "../model/network-model.ts";
import type { NetworkPlan } from "../plan/network-plan.ts";
import { startWeights } from "../plan/start-weights.ts";
import { sealedSums } from "./sealed-sums.ts";

/** Where a training is kept while it runs, so that it may go on. As private as the rows. */
export interface NetworkCheckpoints {
  /** What was kept last; null for nothing. */
  last(): Uint8Array | null;
  /** Makes bytes durable as what follows step `after`, and tells whether it did: see TrainingOptions.keep. */
  keepAfter(after: number, bytes: Uint8Array): boolean;
}

/** What a paid training is given. */
export interface NetworkRun {
  /** Names the charge that paid for it: a checkpoint goes on under no other. */
  readonly charge: string;
  /** None unless stated. */
  readonly checkpoints?: NetworkCheckpoints;
}

const none: NetworkCheckpoints = { last: () => null, keepAfter: () => true };

/** A training is kept about so often. */
const keptTimes = 100;

/**
 * Runs a planned training on rows that stay sealed: columns are the plan's features in its order, and then the target; a number as it stands, a category as
 * its place, NaN for NULL. The event of the plan is to be charged before. Every step's sums are computed sealed and opened with their noise alone. No value
 * of a row makes it fail. Steps that were kept are not drawn again, and nobody sees a step before the last is durable.
 * Errors: parameter.invalid for a checkpoint of another plan or charge; mechanism.spent where another run went on from the same checkpoint.
 * @example await trainSealedNetwork(plan, await engine.rows(compiled), trainingDraws(entropy), { charge: paid.hash })
 */
export async function trainSealedNetwork(
  plan: NetworkPlan,
  rows: Exact<UnitRows>,
  draws: TrainingDraws,
  { charge, checkpoints = none }: NetworkRun,
): Promise<NetworkModel> {
  const { training, optimizer, target, features, network, event } = plan;
  const every = keptEvery(training);
  const last = checkpoints.last();
  const held = last === null ? null : readCheckpoint(last);
  const sums = await sealedSums(plan, rows, draws);
  let weights = held !== null && isWhole(held, training, charge) ? held.weights : null;
  const steps = trainOn(training, sums, draws, {
    charge,
    start: held ?? startWeights(plan),
    optimizer,
    every,
    keep: (checkpoint, after) =>
      every === training.steps || checkpoints.keepAfter(after, checkpointBytes(checkpoint)),
  });
  for await (const step of steps) weights = step.weights;
  return {
    ...({ kind: "network", version: 1 } as const),
    ...{ target, features, network },
    weights: [...(weights ?? startWeights(plan))],
    adjacency: training.adjacency,
    event,
  };
}

/** Whether a training was kept after its last step. */
function isWhole(held: Checkpoint, training: PrivatePlan, charge: string): boolean {
  return held.plan === planHash(training) && held.charge === charge && held.step === training.steps;
}

/**
 * After how many steps a training is kept. Balls in bins are drawn anew in each pass, so it is kept between passes; where bins or noise are those of the
 * whole training, it is not kept, and starts anew.
 */
function keptEvery({ sampler, steps }: PrivatePlan): number {
  if (sampler.kind === "cyclic") return steps;
  const unit = sampler.kind === "balls-in-bins" ? sampler.bins : 1;
  return Math.min(steps, unit * Math.ceil(steps / (unit * keptTimes)));
}
