export type * from "./procedure.ts";
export { priceOfEvent, runProcedure } from "./run-procedure.ts";
