export { type Exponential, exponential, exponentialFor } from "./exponential.ts";
export { exponentialLogProbabilities } from "./exponential-law.ts";
export { chooseOnInterval, type IntervalGrid, type ScoredPiece } from "./interval-exponential.ts";
