export { readTraining, trainingOf } from "./plan-training.ts";
export { scoresOf, scoresSql } from "./scores-of.ts";
export type { ModelDescription, TrainedModel, Training } from "./training.ts";
