import type { PrivacyLossText } from "@lethe/core";
import {
  answerWorkload,
  type House,
  plannedAnswers,
  planWholeWorkload,
  type Workload,
  type WorkloadRelease,
} from "@lethe/gateway";
import {
  demandSameLimits,
  type ModelDescription,
  type TrainedModel,
  type Training,
  trainingOf,
} from "@lethe/learn";
import { type Explanation, explainPlan, type Policy } from "@lethe/query";

/** Models with the release that they were fitted to: JSON throughout, and all that is needed to fit them again. */
export interface Trained {
  readonly version: 1;
  /** What was asked for, checked against the policy. */
  readonly descriptions: readonly ModelDescription[];
  /** In the order of the descriptions. */
  readonly models: readonly TrainedModel[];
  readonly confidence: number;
  /** The sums that left the database, with their certificate: one charge for all models. */
  readonly release: WorkloadRelease;
}

/** The price of a training, and what each of its questions measures at which noise. */
export interface TrainingExplanation {
  readonly price: PrivacyLossText;
  readonly confidence: number;
  readonly questions: readonly Explanation[];
}

/** What is asked beside the models. */
export type TrainingRequest = Pick<Workload, "principal" | "requestId" | "options">;

/** Pays once for all sums that the models need, and fits every model to what was released. */
export async function train(training: Training, request: TrainingRequest, house: House): Promise<Trained> {
  const workload = workloadOf(training, request);
  await planTraining(workload, house.policy);
  return fitTo(training, await answerWorkload(workload, house));
}

/** Fits models to the release of their own training. Errors: release.invalid for another. */
export function fitTo(training: Training, release: WorkloadRelease): Trained {
  const { confidence } = release.certificate;
  return {
    version: 1,
    descriptions: training.descriptions,
    models: training.fit(plannedAnswers(release), confidence),
    confidence,
    release,
  };
}

/**
 * Fits further models to the sums of an earlier training, at no charge, and returns them after the earlier ones: which sums are combined for a model
 * follows from all descriptions together, so a file of the further ones alone would say too little. Errors: release.invalid where they need sums
 * that were not released.
 */
export function fitAgain(training: Training, { descriptions, release }: Trained): Trained {
  return fitTo(trainingOf([...descriptions, ...training.descriptions]), release);
}

/** Returns price and noise of a training: free, and touches no row. */
export async function explainTraining(
  training: Training,
  request: TrainingRequest,
  policy: Policy,
): Promise<TrainingExplanation> {
  const { confidence } = request.options;
  const { plans, price } = await planTraining(workloadOf(training, request), policy);
  return { price, confidence, questions: plans.map((plan) => explainPlan(plan, policy, confidence)) };
}

/** Plans a training before it is paid, and sees to it that all its questions count the same rows. Errors: model.invalid. */
async function planTraining(workload: Workload, policy: Policy): ReturnType<typeof planWholeWorkload> {
  const plan = await planWholeWorkload(workload, { policy });
  demandSameLimits(plan.plans);
  return plan;
}

/** A model has a number for every category, so its questions answer those too that its condition excludes. */
function workloadOf({ title, texts, rounds }: Training, request: TrainingRequest): Workload {
  const options = { ...request.options, everyPublicKey: true } as const;
  return { ...request, options, title, texts, ...(rounds ? { rounds } : {}) };
}
