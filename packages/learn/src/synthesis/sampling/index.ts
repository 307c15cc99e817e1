export { gradualUpdate, type PairTarget } from "./gradual-update.ts";
export type { Learned, Measured } from "./learned.ts";
export { graphicalLaw, type RowLaw } from "./row-law.ts";
export { sampleRows } from "./sample-rows.ts";
export { mostSyntheticRows, syntheticCodes, syntheticRowCount, syntheticRows } from "./synthetic-rows.ts";
