export { allPairs } from "./all-pairs.ts";
export { eachStage, rest, roundWithin, split, tablesWithin } from "./divide.ts";
export { fittedLaw } from "./fitted-law.ts";
export { largestTree } from "./largest-tree.ts";
export { measureEach } from "./measure-each.ts";
export type { Method, Parts, SynthesisRound } from "./method.ts";
export { modelCaps } from "./model-caps.ts";
export { noiseDistance } from "./noise-size.ts";
export { passes } from "./passes.ts";
export type { Shape } from "./shape.ts";
export { epsilonWithin, type SynthesisBudget, sessionTotal, sigmaWithin } from "./shares.ts";
export { type Stage, stageOf } from "./stage.ts";
export {
  type SynthesisMethod,
  type SynthesisPlan,
  type SynthesisRequest,
  targetOf,
} from "./synthesis-plan.ts";
export { addWork, certainWork, meanTree, pairCells, singleCells, visitsOf, type Work } from "./work.ts";
export { workloadWeights } from "./workload.ts";
