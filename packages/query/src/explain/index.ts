export { explainPlan } from "./explain-plan.ts";
export type * from "./explanation.ts";
