export { sampleRows } from "./sample-rows.ts";
export { syntheticCodes, syntheticRowCount, syntheticRows } from "./synthetic-rows.ts";
