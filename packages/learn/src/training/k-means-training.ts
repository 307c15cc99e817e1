import type { KMeansModel } from "../clusters/k-means-model.ts";
import { kMeansQuestion, kMeansStart } from "../clusters/k-means-question.ts";
import { fitKMeans, kMeansStep } from "../clusters/k-means-step.ts";
import type { Training } from "./training.ts";

/** Plans a k-means: a round a step, each of one question that follows from the answers before. */
export function kMeansTraining(model: KMeansModel): Training {
  const { features, clusters, steps, source } = model;
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
