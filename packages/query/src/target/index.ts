export { type ErrorWithin, errorWithin } from "./error-within.ts";
export { type AskedPlan, planAsked, withoutTarget } from "./plan-asked.ts";
export type { ReachedTarget } from "./reached-target.ts";
