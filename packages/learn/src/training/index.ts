export {
  type ModelDescription,
  readTraining,
  scoresOf,
  scoresSql,
  type TrainedModel,
  type Training,
  trainingOf,
} from "./training.ts";
