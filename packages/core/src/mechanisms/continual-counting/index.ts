export {
  type CountingBudget,
  type CountingRequest,
  countingEvent,
  countingFor,
} from "./counting-for.ts";
export type { CountingFactor, CountingPlan, Participation } from "./counting-plan.ts";
export { toeplitzSensitivity, treeSensitivity } from "./counting-sensitivity.ts";
export { type CountingStream, openCounting } from "./open-counting.ts";
export { sqrtCoefficients } from "./sqrt-coefficients.ts";
