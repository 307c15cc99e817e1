export { bernoulli } from "./bernoulli.ts";
export { bernoulliExp } from "./bernoulli-exp.ts";
export { chooseByExp, type ExpChoice, type ExpWeights } from "./choose-by-exp.ts";
export { discreteGaussian } from "./discrete-gaussian.ts";
export { discreteLaplace } from "./discrete-laplace.ts";
export { roundedGaussian } from "./rounded-gaussian.ts";
export type { Sampler } from "./sampler.ts";
export { uniformBelow } from "./uniform-below.ts";
export { uniformSequence } from "./uniform-sequence.ts";
