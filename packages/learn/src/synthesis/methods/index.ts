export { planSynthesis } from "./plan-synthesis.ts";
export { sampleWork, synthesisWork } from "./synthesis-work.ts";
export { learnedFrom, synthesize } from "./synthesize.ts";
