import { LetheError } from "@lethe/core";
import type { KMeansModel } from "../clusters/k-means-model.ts";
import { kMeansQuestion, kMeansStart } from "../clusters/k-means-question.ts";
import { fitKMeans, kMeansStep } from "../clusters/k-means-step.ts";
import type { Training } from "./training.ts";

/** Plans a k-means: a round a step, each of one question that follows from the answers before. */
export function kMeansTraining(model: KMeansModel): Training {
  const { features, clusters, steps, source } = model;
  demandSmall(model);
  return {
    title: `k-means of ${features.map(({ name }) => name).join(", ")} over ${source}: ${clusters} clusters in ${steps} steps`,
    descriptions: [model],
    texts: [kMeansQuestion(model, kMeansStart(model))],
    rounds: {
      count: steps,
      next: (answers) => {
        const state = answers.reduce((at, answer) => kMeansStep(model, at, answer), kMeansStart(model));
        return [kMeansQuestion(model, state)];
      },
    },
    fit: (answers) => [fitKMeans(model, answers)],
  };
}

/**
 * A question is at most 65,536 characters. The numbers in a later one may be longer than those in the first, and a training that was paid must not
 * fail because of them.
 */
const longestQuestion = 40_000;
const most = { clusters: 32, steps: 100 } as const;

/** Errors: model.invalid. */
function demandSmall(model: KMeansModel): void {
  const { clusters, steps } = model;
  const few = clusters >= 2 && clusters <= most.clusters && steps >= 1 && steps <= most.steps;
  if (few && kMeansQuestion(model, kMeansStart(model)).length <= longestQuestion) return;
  throw new LetheError("model.invalid", "the questions of this k-means would be too many or too long", {
    fix: "take fewer clusters, steps or features, or a shorter condition",
  });
}
