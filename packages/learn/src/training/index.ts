export { fitTraining, type Training, trainingOf } from "./training.ts";
