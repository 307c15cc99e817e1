export { type Checkpoint, checkpointBytes, readCheckpoint } from "./checkpoint.ts";
export type { LayeredGradients } from "./layered-gradients.ts";
export type { Optimizer } from "./optimizer.ts";
export { type TrainedStep, type TrainingOptions, train } from "./train.ts";
