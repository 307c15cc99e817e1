export { expectedSeconds, passes } from "./expected-seconds.ts";
export type { Learned } from "./learned.ts";
export { measureEach } from "./measure-each.ts";
export { noiseDistance } from "./noise-size.ts";
export { type SynthesisBudget, sessionTotal } from "./shares.ts";
export {
  lastRound,
  planSynthesis,
  type Stage,
  type SynthesisMethod,
  type SynthesisPlan,
  type SynthesisRequest,
  stageOf,
} from "./synthesis-plan.ts";
