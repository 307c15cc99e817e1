export {
  type GradientShape,
  gaussianOf,
  gradientGridBits,
  gradientSensitivity,
  type UnitMove,
} from "./gradient-sensitivity.ts";
export {
  type ExactGradients,
  type GradientProgram,
  gradientReleaser,
  type NoisyGradients,
} from "./release-gradients.ts";
export { type TrainingDraws, trainingDraws } from "./training-draws.ts";
