export { privatePlan } from "./make-plan.ts";
export { chargedEvent, chargedLoss, type PlanPrice, planPrice } from "./plan-price.ts";
export type { Clip, ClipRequest, ModelShape, PlanRequest } from "./plan-request.ts";
export type { PrivatePlan } from "./private-plan.ts";
export { planHash, readPlan } from "./read-plan.ts";
