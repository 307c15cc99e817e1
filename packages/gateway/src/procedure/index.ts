export { countingPlan, rowsPerUnit } from "./counting-plan.ts";
export type * from "./procedure.ts";
export { priceOfEvent, runProcedure } from "./run-procedure.ts";
