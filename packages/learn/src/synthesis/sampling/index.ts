export { sampleRows } from "./sample-rows.ts";
export { mostSyntheticRows, syntheticCodes, syntheticRowCount, syntheticRows } from "./synthetic-rows.ts";
