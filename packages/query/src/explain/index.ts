export { explainPlan, missingChances } from "./explain-plan.ts";
export type * from "./explanation.ts";
