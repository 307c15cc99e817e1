export { rowsOfModel } from "./missing-rows.ts";
export type * from "./model.ts";
export { readModel } from "./read-model.ts";
